/* work.c - filter work that takes a given CPU time
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/plan/work.h"

#include "base/clock.h"

enum { ORDER = 8 };

static void multiply_matrices(double (*restrict product)[ORDER], double (*restrict a)[ORDER],
                              double (*restrict b)[ORDER])
{
    for (int i = 0; i < ORDER; i++) {
        for (int j = 0; j < ORDER; j++) {
            double sum = 0;
            for (int k = 0; k < ORDER; k++) {
                sum += a[i][k] * b[k][j];
            }
            product[i][j] = sum;
        }
    }
}

void tan_work_for(double seconds)
{
    double a[ORDER][ORDER];
    double b[ORDER][ORDER];
    double product[ORDER][ORDER];
    volatile double sink; /* keeps the compiler from removing products that are not used */
    if (seconds <= 0) {
        return;
    }
    const double begin = tan_clock_cpu_seconds();
    for (int i = 0; i < ORDER; i++) {
        for (int j = 0; j < ORDER; j++) {
            a[i][j] = 1.0 / (i + j + 1);
            b[i][j] = i == j;
        }
    }
    do {
        multiply_matrices(product, a, b);
        sink = product[ORDER - 1][0];
        b[0][ORDER - 1] = sink; /* keeps it from multiplying only once */
    } while (tan_clock_cpu_seconds() - begin < seconds);
}
