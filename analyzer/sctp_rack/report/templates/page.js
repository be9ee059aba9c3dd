// SPDX-License-Identifier: BSD-2-Clause
// Copies display filters, and opens everything for the printer.
(() => {
  const told = document.getElementById("told");

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const field = document.createElement("textarea");  // no clipboard, as in some browsers for local files
      field.value = text;
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    told.textContent = `copied: ${text}`;
  }
  document.addEventListener("click", async (event) => {
    const button = event.target.closest(".copy");
    if (!button) return;
    await copy(button.querySelector("code").textContent);
    button.classList.add("done");
    setTimeout(() => button.classList.remove("done"), 1500);
  });

  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const one of opened) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of opened) one.open = false;
  });
})();
