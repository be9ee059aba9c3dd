/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that the page's ciphers do what those of the command do: what mbedTLS seals both open, alike, and neither what
 * is damaged. */
#include "bytes_builder.h"

#include <stdio.h>

#include "dtls/cipher.h"

#ifndef PAGE_CIPHERS

int main(void)
{
    puts("skipped: no mbedTLS in build/ (python3 -m page.mbedtls)");
    return 0;
}

#else

#include <mbedtls/aes.h>
#include <mbedtls/ccm.h>
#include <mbedtls/chachapoly.h>
#include <mbedtls/gcm.h>

/* page/core/cipher_mbedtls.c, by the names that CMakeLists.txt gives it. */
const char *page_ciphers_library(void);
struct sr_cipher *page_cipher_new(enum sr_cipher_kind kind, const uint8_t *key, size_t key_length);
void page_cipher_free(struct sr_cipher *cipher);
bool page_cipher_open(struct sr_cipher *cipher, const uint8_t *nonce, struct sr_piece more, struct sr_piece sealed,
                      uint8_t *opened);
bool page_cipher_decrypt(struct sr_cipher *cipher, const uint8_t *iv, struct sr_piece blocks, uint8_t *opened);
bool page_cipher_mask(struct sr_cipher *cipher, const uint8_t *sample, uint8_t *mask);
struct sr_hmac *page_hmac_new(enum sr_hash hash, const uint8_t *key, size_t key_length);
void page_hmac_free(struct sr_hmac *hmac);
bool page_hmac_of(struct sr_hmac *hmac, const struct sr_piece *pieces, size_t count, uint8_t *result);

enum { LONGEST = 200, RECORD = 1400, MORE = 13 + 20 /* a header with a connection ID */ };

static uint32_t state_of_dice;

static void roll(uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        state_of_dice = state_of_dice * 1664525 + 1013904223;
        bytes[i] = (uint8_t)(state_of_dice >> 24);
    }
}

static int skip_without_libcrypto(void **state)
{
    (void)state;
    state_of_dice = 1;
    if (!sr_ciphers_library())
        skip();
    return 0;
}

static void the_page_says_which_library_it_has(void **state)
{
    (void)state;
    assert_non_null(strstr(page_ciphers_library(), "2.28."));
}

/* What is to be opened, behind it its tag. */
static void seal_text(enum sr_cipher_kind kind, const uint8_t *key, size_t key_length, const uint8_t *nonce,
                      struct sr_piece more, struct sr_piece text, uint8_t *sealed)
{
    const unsigned bits = (unsigned)(8 * key_length);
    uint8_t *tag = sealed + text.length;
    if (kind == SR_CIPHER_AES_GCM) {
        mbedtls_gcm_context gcm;
        mbedtls_gcm_init(&gcm);
        assert_int_equal(mbedtls_gcm_setkey(&gcm, MBEDTLS_CIPHER_ID_AES, key, bits), 0);
        assert_int_equal(mbedtls_gcm_crypt_and_tag(&gcm, MBEDTLS_GCM_ENCRYPT, text.length, nonce, SR_NONCE_LENGTH,
                                                   more.bytes, more.length, text.bytes, sealed, 16, tag),
                         0);
        mbedtls_gcm_free(&gcm);
    } else if (kind == SR_CIPHER_CHACHA20_POLY1305) {
        mbedtls_chachapoly_context chachapoly;
        mbedtls_chachapoly_init(&chachapoly);
        assert_int_equal(mbedtls_chachapoly_setkey(&chachapoly, key), 0);
        assert_int_equal(mbedtls_chachapoly_encrypt_and_tag(&chachapoly, text.length, nonce, more.bytes, more.length,
                                                            text.bytes, sealed, tag),
                         0);
        mbedtls_chachapoly_free(&chachapoly);
    } else {
        mbedtls_ccm_context ccm;
        mbedtls_ccm_init(&ccm);
        assert_int_equal(mbedtls_ccm_setkey(&ccm, MBEDTLS_CIPHER_ID_AES, key, bits), 0);
        assert_int_equal(mbedtls_ccm_encrypt_and_tag(&ccm, text.length, nonce, SR_NONCE_LENGTH, more.bytes, more.length,
                                                     text.bytes, sealed, tag, sr_cipher_tag(kind)),
                         0);
        mbedtls_ccm_free(&ccm);
    }
}

static const struct sealing {
    enum sr_cipher_kind kind;
    size_t key_length;
} sealings[] = {
    {SR_CIPHER_AES_GCM, 16},   {SR_CIPHER_AES_GCM, 32},   {SR_CIPHER_AES_CCM, 16},           {SR_CIPHER_AES_CCM, 32},
    {SR_CIPHER_AES_CCM_8, 16}, {SR_CIPHER_AES_CCM_8, 32}, {SR_CIPHER_CHACHA20_POLY1305, 32},
};

/* Both give the text, or both nothing. */
static void open_with_both(struct sr_cipher *ours, struct sr_cipher *pages, const uint8_t *nonce, struct sr_piece more,
                           struct sr_piece sealed, const uint8_t *text, size_t length)
{
    const size_t room = sealed.length + SR_BLOCK_LENGTH;
    uint8_t *bytes = exact(sealed.bytes, sealed.length), *opened = malloc(room), *too = malloc(room);
    const struct sr_piece piece = {bytes, sealed.length};
    assert_int_equal(sr_cipher_open(ours, nonce, more, piece, opened), text != NULL);
    assert_int_equal(page_cipher_open(pages, nonce, more, piece, too), text != NULL);
    if (text) {
        assert_memory_equal(opened, text, length);
        assert_memory_equal(too, text, length);
    }
    free(opened);
    free(too);
    free_exact(bytes, sealed.length);
}

static void a_record_of_any_length_is_opened_alike(const struct sealing *of, size_t length)
{
    uint8_t key[SR_LONGEST_KEY], nonce[SR_NONCE_LENGTH], more[MORE], text[RECORD], sealed[RECORD + SR_BLOCK_LENGTH];
    roll(key, of->key_length);
    roll(nonce, sizeof nonce);
    roll(more, sizeof more);
    roll(text, length);
    const struct sr_piece also = {more, 5 + length % (MORE - 4)}; /* 5: the shortest header of DTLS 1.3 */
    const size_t whole = length + sr_cipher_tag(of->kind);
    seal_text(of->kind, key, of->key_length, nonce, also, (struct sr_piece){text, length}, sealed);
    struct sr_cipher *ours = sr_cipher_new(of->kind, key, of->key_length);
    struct sr_cipher *pages = page_cipher_new(of->kind, key, of->key_length);
    assert_true(ours && pages);
    open_with_both(ours, pages, nonce, also, (struct sr_piece){sealed, whole}, text, length);
    /* Damaged where it may be: the record, what is with it, its length. */
    const size_t at = length * 7 % whole;
    sealed[at] ^= (uint8_t)(1 << length % 8);
    open_with_both(ours, pages, nonce, also, (struct sr_piece){sealed, whole}, NULL, 0);
    sealed[at] ^= (uint8_t)(1 << length % 8);
    more[0] ^= 0x80;
    open_with_both(ours, pages, nonce, also, (struct sr_piece){sealed, whole}, NULL, 0);
    more[0] ^= 0x80;
    open_with_both(ours, pages, nonce, also, (struct sr_piece){sealed, whole - 1}, NULL, 0);
    open_with_both(ours, pages, nonce, also, (struct sr_piece){sealed, length % 8}, NULL, 0); /* less than a tag */
    open_with_both(ours, pages, nonce, also, (struct sr_piece){sealed, whole}, text,
                   length); /* as if there had been nothing */
    sr_cipher_free(ours);
    page_cipher_free(pages);
}

static void what_is_sealed_both_open_and_neither_what_is_damaged(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sealings / sizeof *sealings; i++) {
        for (size_t length = 0; length <= LONGEST; length++)
            a_record_of_any_length_is_opened_alike(&sealings[i], length);
        a_record_of_any_length_is_opened_alike(&sealings[i], RECORD);
    }
}

static void blocks_of_cbc_are_decrypted_alike_and_never_a_part_of_one(void **state)
{
    (void)state;
    for (size_t key_length = 16; key_length <= 32; key_length += 16) {
        uint8_t key[SR_LONGEST_KEY], iv[SR_BLOCK_LENGTH], blocks[RECORD], opened[2][RECORD + SR_BLOCK_LENGTH];
        roll(key, sizeof key);
        roll(blocks, sizeof blocks);
        struct sr_cipher *ours = sr_cipher_new(SR_CIPHER_AES_CBC, key, key_length);
        struct sr_cipher *pages = page_cipher_new(SR_CIPHER_AES_CBC, key, key_length);
        for (size_t length = 0; length <= LONGEST; length++) {
            const struct sr_piece piece = {blocks, length};
            roll(iv, sizeof iv);
            bool can = sr_cipher_decrypt(ours, iv, piece, opened[0]);
            assert_int_equal(can, length % SR_BLOCK_LENGTH == 0);
            assert_int_equal(page_cipher_decrypt(pages, iv, piece, opened[1]), can);
            if (can)
                assert_memory_equal(opened[0], opened[1], length);
        }
        sr_cipher_free(ours);
        page_cipher_free(pages);
    }
}

static void sequence_numbers_are_masked_alike(void **state)
{
    (void)state;
    static const struct sealing masks[] = {
        {SR_CIPHER_AES_MASK, 16}, {SR_CIPHER_AES_MASK, 32}, {SR_CIPHER_CHACHA20_MASK, 32}};
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        uint8_t key[SR_LONGEST_KEY], sample[SR_BLOCK_LENGTH], mask[2][SR_BLOCK_LENGTH];
        roll(key, sizeof key);
        struct sr_cipher *ours = sr_cipher_new(masks[i].kind, key, masks[i].key_length);
        struct sr_cipher *pages = page_cipher_new(masks[i].kind, key, masks[i].key_length);
        for (int round = 0; round < 100; round++) {
            roll(sample, sizeof sample);
            assert_true(sr_cipher_mask(ours, sample, mask[0]) && page_cipher_mask(pages, sample, mask[1]));
            assert_memory_equal(mask[0], mask[1], SR_BLOCK_LENGTH);
        }
        sr_cipher_free(ours);
        page_cipher_free(pages);
    }
}

static void hmacs_of_any_key_and_of_pieces_are_alike(void **state)
{
    (void)state;
    for (int hash = SR_HASH_MD5; hash <= SR_HASH_SHA384; hash++)
        for (size_t length = 0; length <= LONGEST; length++) { /* beyond a block, where a key is hashed first */
            uint8_t key[LONGEST + 1], text[LONGEST + 1], result[2][SR_LONGEST_HASH];
            roll(key, sizeof key);
            roll(text, sizeof text);
            const struct sr_piece pieces[] = {{text, length / 3}, {text, 0}, {text + length / 3, length - length / 3}};
            struct sr_hmac *ours = sr_hmac_new((enum sr_hash)hash, key, length + 1);
            struct sr_hmac *pages = page_hmac_new((enum sr_hash)hash, key, length + 1);
            for (size_t count = 1; count <= 3; count++) { /* one after the other with the same key */
                assert_true(sr_hmac_of(ours, pieces, count, result[0]) &&
                            page_hmac_of(pages, pieces, count, result[1]));
                assert_memory_equal(result[0], result[1], sr_hash_length((enum sr_hash)hash));
            }
            sr_hmac_free(ours);
            page_hmac_free(pages);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_page_says_which_library_it_has, skip_without_libcrypto),
        cmocka_unit_test_setup(what_is_sealed_both_open_and_neither_what_is_damaged, skip_without_libcrypto),
        cmocka_unit_test_setup(blocks_of_cbc_are_decrypted_alike_and_never_a_part_of_one, skip_without_libcrypto),
        cmocka_unit_test_setup(sequence_numbers_are_masked_alike, skip_without_libcrypto),
        cmocka_unit_test_setup(hmacs_of_any_key_and_of_pieces_are_alike, skip_without_libcrypto),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
