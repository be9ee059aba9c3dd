/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a program and prints, after its output, its wall time in seconds and its peak resident memory in KiB. */
/* A program of its own: Linux counts the memory that a process had before exec as its own, and Python's is larger
 * than that of the programs that are measured. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int count, char **arguments)
{
    struct rusage usage;
    int status;

    if (count < 2) {
        fprintf(stderr, "usage: bench_measure PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    double start = now();
    pid_t child = fork();
    if (child == 0) {
        execvp(arguments[1], arguments + 1);
        perror(arguments[1]);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
        perror("bench_measure");
        return 1;
    }
    double seconds = now() - start;
    printf("%.6f %ld\n", seconds, usage.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
