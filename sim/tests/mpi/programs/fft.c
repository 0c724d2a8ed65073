/* fft.c - Fourier transforms of a square matrix: rows, a transposition by all-to-all, rows again
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: fft SIZE TRANSFORMS MICROSECONDS. The ranks share SIZE rows, SIZE being a power of two
 * that they divide; transforms go there and back by turns, and each stands for one that computes
 * for MICROSECONDS. Prints the largest error after all of them, and the time. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

static int ranks, size, rows;
static long microseconds;

/* Cooley and Tukey's, in place; `sign` is that of the exponent. */
static void transform_row(double complex *x, double sign)
{
    for (int i = 1, j = 0; i < size; i++) { /* j is i with its bits reversed */
        int bit = size / 2;
        for (; (j & bit) != 0; bit /= 2) {
            j ^= bit;
        }
        j ^= bit;
        if (i < j) {
            const double complex swap = x[i];
            x[i] = x[j];
            x[j] = swap;
        }
    }
    for (int half = 1; half < size; half *= 2) {
        for (int i = 0; i < size; i += 2 * half) {
            for (int k = i; k < i + half; k++) {
                const double complex odd =
                    x[k + half] * cexp(sign * I * acos(-1.0) * (k - i) / half);
                x[k + half] = x[k] - odd;
                x[k] += odd;
            }
        }
    }
}

static void transform_rows(double complex *x, double sign)
{
    for (int i = 0; i < rows; i++) {
        transform_row(x + i * size, sign);
    }
    compute(microseconds / 2);
}

/* Blocks of rows x rows go to all ranks, each transposed. */
static void transpose(double complex *x, double complex *blocks)
{
    const int block = rows * rows;
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < size; k++) {
            blocks[k / rows * block + k % rows * rows + i] = x[i * size + k];
        }
    }
    MPI_Alltoall(blocks, block, MPI_C_DOUBLE_COMPLEX, x, block, MPI_C_DOUBLE_COMPLEX,
                 MPI_COMM_WORLD);
    memcpy(blocks, x, sizeof *x * rows * size);
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < size; k++) {
            x[i * size + k] = blocks[k / rows * block + i * rows + k % rows];
        }
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    size = argc > 1 ? atoi(argv[1]) : 64;
    const int transforms = argc > 2 ? atoi(argv[2]) : 4;
    microseconds = argc > 3 ? atol(argv[3]) : 0;
    rows = size / ranks;
    double complex *x = calloc((size_t)rows * size, sizeof *x);
    double complex *blocks = calloc((size_t)rows * size, sizeof *x);
    for (int i = 0; i < rows * size; i++) {
        x[i] = (rank * rows * size + i) % 7;
    }
    const double begin = begin_run();
    for (int t = 0; t < transforms; t++) {
        const double sign = t % 2 == 0 ? -1.0 : 1.0;
        transform_rows(x, sign);
        transpose(x, blocks);
        transform_rows(x, sign);
        for (int i = 0; i < rows * size && sign > 0.0; i++) {
            x[i] /= (double)size * size;
        }
    }
    end_run(begin);
    double error = 0.0;
    double worst;
    for (int i = 0; i < rows * size; i++) {
        error = fmax(error, cabs(x[i] - (rank * rows * size + i) % 7));
    }
    MPI_Reduce(&error, &worst, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("error %g\n", worst);
    }
    MPI_Finalize();
    return 0;
}
