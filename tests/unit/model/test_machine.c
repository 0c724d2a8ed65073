/* test_machine.c - machine files: reading, writing, finding, errors
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/output.h"
#include "model/machine/machine.h"
#include "tests/unit/scratch_file.h"

TEST(reads_cab)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_machine *m = tan_machine_load("configs/cab.json", &e);
    assert_no_error(e);
    assert_string_equal(m->name, "Cab");
    assert_int_equal(m->hosts, 256);
    assert_false(m->oversubscribed);
    assert_int_equal(m->tan.method, TAN_METHOD_PAPER);
    assert_int_equal(m->tan.bytes, 1024);
    static const double table_1[TAN_PARAMS] = {98e-6, 49.3e-6, 0.783e-6, 0.157e-6, 0, 0};
    for (int p = 0; p < TAN_PARAMS; p++) {
        assert_close(m->tan.value[p], table_1[p], 1e-18);
        assert_true(m->tan.ci95[p].low > m->tan.ci95[p].high);
    }
    assert_true(isnan(m->tan.r2));
    assert_int_equal(m->tan.n, 0);
    assert_null(m->tan.draws);
    assert_int_equal(m->latency.n, 500);
    assert_close(m->latency.max, 672e-6, 1e-18);
    assert_true(isnan(m->latency.median));
    tan_machine_destroy(m);
}

static const char full[] =
    "{\"schema\": \"tan-machine/1\", \"name\": \"Here\", \"source\": \"a test\", \"hosts\": 2,"
    " \"cores_per_host\": 16, \"oversubscribed\": true,"
    " \"tan\": {\"method\": \"joint\", \"bytes\": 4096, \"L_us\": 97.25, \"a_us\": 49.3,"
    "  \"b_us\": 0.783, \"c_us\": 0.1570000123, \"g_us\": 1.5, \"C_us\": 3.0,"
    "  \"ci95\": {\"L_us\": [96.5, 98.125], \"c_us\": [0.0, 0.2]}, \"r2\": 0.987654321,"
    "  \"n\": 460, \"max_fanout\": 64, \"max_height\": 32, \"draws_us\": [[97.1, 49.2, 0.7, 0.16, "
    "0.0, 3.0],"
    "  [97.3, 49.1234, 0.8, 0.15, 0.0, 0.0]]},"
    " \"tiers\": [{\"name\": \"host\", \"level\": 0, \"method\": \"joint\", \"bytes\": 4096, "
    "\"L_us\": 3.5,"
    "  \"a_us\": 1.25, \"b_us\": 0.5, \"c_us\": 0.125, \"g_us\": 1.5, \"C_us\": 3.0,"
    "  \"ci95\": {\"a_us\": [1.0, 1.5]}, \"n\": 60, \"max_fanout\": 3, \"draws_us\": [[3.5, 1.0, "
    "0.5, 0.125,"
    "  1.5, 3.0], [3.5, 1.5, 0.5, 0.125, 1.5, 3.0]]}],"
    " \"model\": {\"name\": \"logp\", \"trees\": 17, \"error\": {\"tan\": 0.25, \"logp\": 0.5}},"
    " \"check\": [{\"topo\": \"levels:4x4\", \"wave_us\": 80.5, \"error\": {\"tan\": -0.125}}],"
    " \"doubts\": [{\"what\": \"outlier\", \"amount\": 2.5, \"touches\": [\"b_us\", \"c_us\"],"
    "  \"text\": \"nto1:16 lies off\"},"
    "  {\"what\": \"other\", \"touches\": [\"all\"], \"text\": \"for another reason\"}],"
    " \"latency\": {\"n\": 500, \"mean_us\": 98.1, \"median_us\": 97.7, \"min_us\": 59.3,"
    "  \"max_us\": 672.9, \"stddev_us\": 30.01,"
    "  \"peaks\": [{\"share\": 0.998, \"mean_us\": 97.5, \"stddev_us\": 8.25},"
    "  {\"share\": 0.002, \"mean_us\": 672.9, \"stddev_us\": 0.0}]},"
    " \"p2p\": {\"sections\": [{}], \"anything\": [1, {\"deep\": null}, 2.5]},"
    " \"environment\": {\"kernel\": \"6.1\", \"argv\": [\"tanbench\"]}}";

/* A machine file and its predecessor. */
static void unlink_both(const char *name)
{
    char old[PATH_MAX + 16];
    snprintf(old, sizeof old, "%s~", name);
    unlink(name);
    unlink(old);
}

/* Everything a file says comes back, key by key, and a second trip changes nothing. */
TEST(round_trip)
{
    struct tan_error e = TAN_ERROR_INIT;
    const char *first = path;
    char second[PATH_MAX + 8];
    write_text(full);
    snprintf(second, sizeof second, "%s.second", path);
    struct tan_machine *m = tan_machine_load(first, &e);
    assert_no_error(e);
    assert_true(m->oversubscribed);
    assert_close(m->tan.ci95[TAN_L].high, 98.125e-6, 1e-18);
    assert_int_equal(m->tan.n_draws, 2);
    assert_close(m->tan.draws[TAN_PARAMS + TAN_A], 49.1234e-6, 1e-18);
    assert_int_equal(m->latency.n_peaks, 2);
    assert_close(m->latency.peak[0].stddev, 8.25e-6, 1e-18);
    assert_int_equal(m->tan.max_fanout, 64);
    assert_int_equal(m->n_tiers, 1);
    assert_string_equal(m->tier[0].name, "host");
    assert_close(m->tier[0].params.value[TAN_L], 3.5e-6, 1e-18);
    assert_close(m->tier[0].params.draws[TAN_PARAMS + TAN_A], 1.5e-6, 1e-18);
    assert_int_equal(tan_checks_best(&m->checks), TAN_CHECK_LOGP); /* whatever the errors are */
    assert_int_equal(m->checks.trees, 17);
    assert_close(tan_checks_error(&m->checks, TAN_CHECK_TAN), 0.25, 1e-12);
    assert_true(isnan(tan_checks_error(&m->checks, TAN_CHECK_OVERLAP)));
    assert_int_equal(m->checks.n, 1);
    assert_close(m->checks.row[0].error[TAN_CHECK_TAN], -0.125, 1e-12);
    assert_int_equal(m->doubts.n, 3); /* it is oversubscribed, too */
    assert_int_equal(m->doubts.row[0].touches, 1u << TAN_B | 1u << TAN_C2);
    assert_int_equal(m->doubts.row[1].touches, TAN_TOUCHES_ALL);
    assert_int_equal(tan_machine_save(m, second, &e), 0);
    tan_machine_destroy(m);

    json_t *before = tan_json_load(first, &e);
    json_t *after = tan_json_load(second, &e);
    assert_no_error(e);
    assert_true(json_equal(before, after));
    m = tan_machine_load(second, &e);
    assert_int_equal(tan_machine_save(m, first, &e), 0);
    assert_no_error(e);
    tan_machine_destroy(m);
    char *text[2] = {tan_read_file(first, NULL, &e), tan_read_file(second, NULL, &e)};
    assert_no_error(e);
    assert_string_equal(text[0], text[1]);
    free(text[0]);
    free(text[1]);
    json_decref(before);
    json_decref(after);
    unlink_both(first);
    unlink_both(second);
}

/* What is not known is not in the file. */
TEST(leaves_out_the_unknown)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_machine *m = tan_machine_create("new", &e);
    m->latency = (struct tan_latency){
        .n = 3, .mean = 1e-6, .median = NAN, .min = NAN, .max = NAN, .stddev = NAN, .n_peaks = 1};
    json_t *top = tan_machine_to_json(m);
    assert_non_null(top);
    assert_int_equal(json_object_size(top), 4); /* schema, name, tan, latency */
    const json_t *tan = json_object_get(top, "tan");
    assert_int_equal(json_object_size(tan), 2 + TAN_PARAMS); /* method, bytes */
    const json_t *latency = json_object_get(top, "latency");
    assert_int_equal(json_object_size(latency), 3); /* n, mean_us, peaks */
    assert_int_equal(json_array_size(json_object_get(latency, "peaks")), 1);
    json_decref(top);
    tan_machine_destroy(m);

    m = tan_machine_create("\xff", &e);
    assert_no_error(e);
    assert_int_equal(tan_machine_save(m, "/dev/null", &e), -1);
    assert_error(e, TAN_FAILED, "UTF-8");
    tan_machine_destroy(m);
}

TEST(tolerates_new_keys)
{
    struct tan_error e = TAN_ERROR_INIT;
    write_text("{\"schema\": \"tan-machine/1\", \"name\": \"m\", \"later\": {},"
               " \"hosts\": null, \"tan\": {\"method\": \"joint\", \"L_us\": 1, \"a_us\": 2,"
               " \"b_us\": 0, \"c_us\": 0, \"d_us\": \"later\", \"ci95\": {\"d_us\": 1}}}");
    struct tan_machine *m = tan_machine_load(path, &e);
    assert_no_error(e);
    assert_int_equal(m->tan.bytes, 1024);
    assert_close(m->tan.value[TAN_A], 2e-6, 1e-18);
    tan_machine_destroy(m);
    unlink(path);
}

/* Each row replaces a part of the full file. */
TEST(refuses)
{
    static const struct {
        const char *part, *replacement, *error;
    } rows[] = {
        {"tan-machine/1", "tan-machine/2", "schema must be \"tan-machine/1\""},
        {"\"name\": \"Here\",", "", "name is missing"},
        {"\"name\": \"Here\"", "\"name\": 7", "name must be a string"},
        {"\"hosts\": 2", "\"hosts\": -2", "hosts must be a whole number"},
        {"\"oversubscribed\": true", "\"oversubscribed\": 1", "true or false"},
        {"\"method\": \"joint\"", "\"method\": \"best\"", "is not one of paper, joint"},
        {"\"a_us\": 49.3,", "", "tan.a_us is missing"},
        {"\"what\": \"outlier\",", "", "doubts[0].what is missing"},
        {"\"c_us\"]", "\"d_us\"]",
         "doubts[0].touches: \"d_us\" is not one of L_us, a_us, b_us, c_us, g_us, C_us, all"},
        {"\"amount\": 2.5", "\"amount\": \"2.5\"", "doubts[0].amount must be"},
        {"\"a_us\": 49.3", "\"a_us\": -49.3", "tan.a_us must be a number from 0"},
        {"\"a_us\": 49.3", "\"a_us\": \"49.3\"", "tan.a_us must be a number from 0"},
        {"\"a_us\": 49.3", "\"a_us\": 1e300", "tan.a_us must be a number from 0"},
        {"\"a_us\": 49.3", "\"a_us\": 1e999", "overflow"},
        {"\"r2\": 0.987654321", "\"r2\": 1.5", "tan.r2 must be"},
        {"[96.5, 98.125]", "[98.125, 96.5]", "tan.ci95.L_us must be two numbers"},
        {"[96.5, 98.125]", "[96.5]", "tan.ci95.L_us must be two numbers"},
        {"[97.1, 49.2, 0.7, 0.16, 0.0, 3.0]", "[97.1, 49.2]", "row 1 does not"},
        {"49.1234", "-1", "row 2 does not"},
        {"3.0],  [97.3, 49.1234, 0.8, 0.15, 0.0, 0.0]]}", "3.0]]}",
         "tan.draws_us must hold at least two rows, since one shows no spread"},
        {"\"logp\", \"trees\"", "\"logq\", \"trees\"",
         "model.name: did you mean logp? \"logq\" is not one of tan, logp, tan-overlap"},
        {"\"trees\": 17", "\"trees\": 0", "model.trees must be"},
        {"\"trees\": 17, \"error\": {\"tan\": 0.25, \"logp\": 0.5}", "\"trees\": 17",
         "model.error is missing"},
        {"\"tan\": -0.125", "\"tan\": -1.5", "check[0].error.tan must be"},
        {"\"n\": 500", "\"n\": 0", "latency.n must be"},
        {"{\"n\": 500, ", "{", "latency.n is missing"},
        {"\"share\": 0.998", "\"share\": 0", "latency.peaks[0].share must be a number from"},
        {"\"share\": 0.002, ", "", "latency.peaks[1].share is missing"},
        {"\"mean_us\": 97.5, ", "", "latency.peaks[0].mean_us is missing"},
        {"\"stddev_us\": 8.25", "\"stddev_us\": -1", "latency.peaks[0].stddev_us must be"},
        {"\"peaks\": [{", "\"peaks\": [7, {", "latency.peaks[0] must be an object"},
        {"\"peaks\": [{", "\"peaks\": [1, 2, 3, 4, 5, 6, 7, {", "at most 8 rows"},
        {"\"name\": \"host\", ", "", "tiers[0].name is missing"},
        {"\"a_us\": 1.25,", "", "tiers[0].a_us is missing"},
        {"[1.0, 1.5]", "[1.5, 1.0]", "tiers[0].ci95.a_us must be two numbers"},
        {"0.5, 0.125,  1.5, 3.0]", "0.5]", "tiers[0].draws_us must hold rows of 6"},
        {"\"method\": \"joint\", \"bytes\": 4096, \"L_us\": 3.5",
         "\"bytes\": 4096, \"method\": "
         "\"paper\", \"L_us\": 3.5",
         "tiers[0]: method and bytes must be the same as in tan"},
        {"\"max_fanout\": 3,", "\"overlap\": {\"L_us\": 1, \"o_s_us\": 1, \"o_r_us\": 1},",
         "tiers[0].overlap: bytes must be those of the file's overlap"},
        {"\"tiers\": [{", "\"tiers\": [7, {", "tiers[0] must be an object"},
        {"\"tiers\": [{", "\"tiers\": [1, 2, 3, {", "tiers must hold at most 3"},
        {"\"level\": 0", "\"level\": -1", "tiers[0].level must be"},
        {"\"name\": \"host\", ", "\"name\": \"host\", \"nearer_us\": -1, ",
         "tiers[0].nearer_us must be"},
        {"{\"sections\": [{}], \"anything\": [1, {\"deep\": null}, 2.5]}", "[]",
         "p2p must be an object"},
    };
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *at = strstr(full, rows[i].part);
        assert_non_null(at);
        char text[2 * sizeof full];
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - full), full, rows[i].replacement,
                 at + strlen(rows[i].part));
        write_text(text);
        assert_null(tan_machine_load(path, &e));
        assert_string_equal(e.source, path);
        assert_error(e, TAN_FAILED, rows[i].error);
        unlink(path);
        assert_null(tan_machine_load(path, &e));
        assert_error(e, TAN_FAILED, "No such file");
    }
}

/* A file that is replaced keeps its contents under a second name; one that cannot be written keeps
 * them, too. */
TEST(keeps_the_predecessor)
{
    struct tan_error e = TAN_ERROR_INIT;
    char old[PATH_MAX + 16];
    write_text(full);
    snprintf(old, sizeof old, "%s~", path);
    struct tan_machine *m = tan_machine_create("new", &e);
    assert_int_equal(tan_machine_save(m, path, &e), 0);
    char *text = tan_read_file(old, NULL, &e);
    assert_no_error(e);
    assert_string_equal(text, full);
    free(text);
    free(m->name);
    m->name = strdup("\xff");
    assert_int_equal(tan_machine_save(m, path, &e), -1);
    tan_machine_destroy(m);
    e = (struct tan_error)TAN_ERROR_INIT;
    m = tan_machine_load(path, &e);
    assert_no_error(e);
    assert_string_equal(m->name, "new");
    /* "new" may be relied on, what replaces it may not, and does not replace it as predecessor. */
    for (int i = 0; i < 2; i++) {
        m->oversubscribed = true;
        assert_int_equal(tan_machine_save(m, path, &e), 0);
        struct tan_machine *before = tan_machine_load(old, &e);
        assert_no_error(e);
        assert_string_equal(before->name, "new");
        assert_false(before->oversubscribed);
        tan_machine_destroy(before);
    }
    tan_machine_destroy(m);
    unlink_both(path);
}

/* Where the predecessor cannot be kept the file stays as it is. */
TEST(keeps_the_file)
{
    struct tan_error e = TAN_ERROR_INIT;
    char old[PATH_MAX + 16];
    write_text(full);
    snprintf(old, sizeof old, "%s~", path);
    assert_int_equal(mkdir(old, 0700), 0);
    struct tan_machine *m = tan_machine_create("new", &e);
    assert_no_error(e);
    assert_int_equal(tan_machine_save(m, path, &e), -1);
    assert_error(e, TAN_FAILED, old);
    tan_machine_destroy(m);
    e = (struct tan_error)TAN_ERROR_INIT;
    char *text = tan_read_file(path, NULL, &e);
    assert_string_equal(text, full);
    free(text);
    rmdir(old);
    unlink(path);
}

/* Rows of one kind stay apart, and a file holds any number. */
TEST(doubts_are_rows)
{
    enum { ROWS = 100 };
    struct tan_error e = TAN_ERROR_INIT;
    char text[16384];
    int n = snprintf(text, sizeof text,
                     "{\"schema\": \"tan-machine/1\", \"name\": \"m\", \"tan\": {\"L_us\": 2, "
                     "\"a_us\": 1, \"r2\": 0.1}, \"doubts\": [");
    for (int i = 0; i < ROWS; i++) {
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "{\"what\": \"outlier\", \"touches\": [\"all\"], "
                      "\"text\": \"row %d\"}%s",
                      i / 2, i + 1 < ROWS ? ", " : "");
    }
    snprintf(text + n, sizeof text - (size_t)n, "]}");
    write_text(text);
    struct tan_machine *m = tan_machine_load(path, &e);
    unlink(path);
    assert_no_error(e);
    assert_int_equal(m->doubts.n, ROWS + 1); /* and R2, whatever else is doubted */
    assert_string_equal(m->doubts.row[99].text, "row 49");
    assert_int_equal(m->doubts.row[99].severity, TAN_DOUBT);
    tan_machine_destroy(m);
}

/* The machine of a tan block. */
static struct tan_machine *with_tan(const char *tan)
{
    struct tan_error e = TAN_ERROR_INIT;
    char text[512];
    snprintf(text, sizeof text, "{\"schema\": \"tan-machine/1\", \"name\": \"m\", \"tan\": {%s}}",
             tan);
    write_text(text);
    struct tan_machine *m = tan_machine_load(path, &e);
    assert_no_error(e);
    unlink(path);
    return m;
}

/* A tier need only say what differs: c, g and C are those of tan, draw by draw. */
TEST(tiers_differ_in_some)
{
    struct tan_error e = TAN_ERROR_INIT;
    write_text("{\"schema\": \"tan-machine/1\", \"name\": \"m\", \"tan\": {\"bytes\": 64, "
               "\"L_us\": 200, \"a_us\": 20, \"b_us\": 4, \"c_us\": 0.5, \"C_us\": 3,"
               " \"draws_us\": [[200, 20, 4, 0.4, 0, 2], [200, 20, 4, 0.6, 0, 4]]},"
               " \"tiers\": [{\"name\": \"host\", \"L_us\": 10, \"a_us\": 5, \"b_us\": 1,"
               " \"ci95\": {\"a_us\": [4, 6]}}, {\"name\": \"rack\", \"a_us\": 7}]}");
    struct tan_machine *m = tan_machine_load(path, &e);
    assert_no_error(e);
    unlink(path);
    const struct tan_tiers tiers = tan_machine_tiers(m);
    assert_int_equal(tiers.n, 3);
    assert_ptr_equal(tiers.params[2], &m->tan);
    const struct tan_params *near = tiers.params[0];
    assert_int_equal(near->bytes, 64);
    assert_close(near->value[TAN_C2], 0.5e-6, 1e-18);
    assert_close(near->value[TAN_C0], 3e-6, 1e-18);
    assert_int_equal(tan_tiers_draws(&tiers), 1000);
    for (int d = 0; d < 4; d++) {
        struct tan_params drawn[TAN_TIERS];
        const struct tan_tiers all = tan_tiers_drawn(&tiers, d, drawn);
        for (int t = 0; t < 3; t += 2) {
            assert_close(all.params[t]->value[TAN_C2], (d % 2 ? 0.6 : 0.4) * 1e-6, 1e-18);
        }
        assert_true(all.params[0]->value[TAN_A] > 2e-6 && all.params[0]->value[TAN_A] < 8e-6);
        assert_close(all.params[1]->value[TAN_A], 7e-6, 1e-18);
    }
    assert_int_equal(m->doubts.n, 1);
    assert_string_equal(m->doubts.row[0].text, "tier rack: L_us is not given: it is taken as 0");
    tan_machine_destroy(m);
}

/* A class of distance differs in L, by as much under both models and in all draws; levels that are
 * not said follow each other. */
TEST(classes_of_distance)
{
    struct tan_error e = TAN_ERROR_INIT;
    write_text(
        "{\"schema\": \"tan-machine/1\", \"name\": \"m\", \"tan\": {\"L_us\": 5, \"a_us\": 0.5, "
        "\"b_us\": 1.5, \"c_us\": 0, \"draws_us\": [[4, 1, 1, 0, 0, 0], [6, 1, 1, 0, 0, 0]]}, "
        "\"overlap\": {\"L_us\": 2, \"o_s_us\": 1.5, \"o_r_us\": 1.25, \"c_us\": 0}, \"tiers\": ["
        "{\"name\": \"host\", \"nearer_us\": 4.5}, {\"name\": \"switch\", \"nearer_us\": 1}, "
        "{\"name\": \"group\", \"level\": 3, \"nearer_us\": 0.25}]}");
    struct tan_machine *m = tan_machine_load(path, &e);
    assert_no_error(e);
    assert_int_equal(tan_machine_save(m, path, &e), 0);
    tan_machine_destroy(m);
    m = tan_machine_load(path, &e);
    assert_no_error(e);
    unlink_both(path);
    const struct tan_tiers tiers = tan_machine_tiers(m);
    const double L[] = {0.5e-6, 4e-6, 4.75e-6, 5e-6};
    assert_int_equal(tiers.n, 4);
    for (int t = 0; t < 4; t++) {
        assert_close(tiers.params[t]->value[TAN_L], L[t], 1e-18);
        assert_close(tiers.params[t]->value[TAN_B], 1.5e-6, 1e-18);
    }
    assert_close(tiers.params[0]->draws[TAN_L], 0, 0);
    assert_close(tiers.params[0]->draws[TAN_A], 0.75e-6, 1e-18);
    assert_close(tiers.params[1]->draws[TAN_PARAMS + TAN_L], 5e-6, 1e-18);
    assert_int_equal(tiers.level[0], 0);
    assert_int_equal(tiers.level[1], 1);
    assert_int_equal(tiers.level[2], 3);
    assert_int_equal(tan_machine_choose(m, true, path, &e), 0);
    assert_int_equal(m->n_tiers, 3);
    assert_close(m->tier[1].params.value[TAN_L], 1e-6, 1e-18);
    assert_close(m->tier[1].params.value[TAN_B], 1.25e-6, 1e-18);
    tan_machine_destroy(m);
}

/* Where overheads overlap with the way of a message, L is 0: nearer processes save a part of the
 * overheads. */
TEST(classes_without_latency)
{
    struct tan_error e = TAN_ERROR_INIT;
    write_text("{\"schema\": \"tan-machine/1\", \"name\": \"m\", \"p2p\": {\"sections\": [{"
               "\"L_us\": -1, \"L_us_per_byte\": 0, \"o_s_us\": 4, \"o_r_us\": 2, "
               "\"G_us_per_byte\": 0.001}]}, \"tiers\": [{\"name\": \"rack\", \"nearer_us\": 1}, "
               "{\"name\": \"room\", \"nearer_us\": 0}]}");
    struct tan_machine *m = tan_machine_load(path, &e);
    assert_no_error(e);
    unlink_both(path);
    const double whole[] = {4e-6, 5e-6, 5e-6};
    for (int overlap = 0; overlap < 2; overlap++) {
        assert_int_equal(tan_machine_choose(m, overlap, path, &e), 0);
        const struct tan_tiers tiers = tan_machine_tiers(m);
        assert_int_equal(tiers.n, 3);
        for (int t = 0; t < 3; t++) {
            const double *v = tiers.params[t]->value;
            assert_close(v[TAN_L], 0, 0);
            assert_close(v[TAN_A], whole[t] * (overlap ? 2.0 / 3 : 0.5), 1e-18);
            assert_close(v[TAN_B], overlap ? whole[t] / 3 : m->tan.value[TAN_B], 1e-18);
        }
    }
    tan_machine_destroy(m);
}

/* Under tan-overlap tiers have their own parameters of it, with c and C of the machine's; where one
 * has none, the machine has no tiers, which a note says. */
TEST(tiers_of_both_models)
{
    static const char *const host[] = {"\"overlap\": {\"L_us\": 1, \"o_s_us\": 2, \"o_r_us\": 3}",
                                       "\"b_us\": 1"};
    for (int lacks = 0; lacks < 2; lacks++) {
        struct tan_error e = TAN_ERROR_INIT;
        char text[512];
        snprintf(text, sizeof text,
                 "{\"schema\": \"tan-machine/1\", \"name\": \"m\", \"tan\": {\"L_us\": 200, "
                 "\"a_us\": 20}, \"overlap\": {\"bytes\": 8, \"L_us\": 100, \"o_s_us\": 30, "
                 "\"o_r_us\": 40, "
                 "\"c_us\": 0.5, \"C_us\": 6, \"nic\": \"shared\"}, \"tiers\": [{\"name\": "
                 "\"host\", \"L_us\": 10, "
                 "\"a_us\": 5, %s}]}",
                 host[lacks]);
        write_text(text);
        struct tan_machine *m = tan_machine_load(path, &e);
        assert_no_error(e);
        assert_int_equal(tan_machine_save(m, path, &e), 0);
        tan_machine_destroy(m);
        m = tan_machine_load(path, &e);
        assert_no_error(e);
        assert_int_equal(tan_machine_choose(m, true, path, &e), 0);
        assert_int_equal(m->n_tiers, lacks ? 0 : 1);
        assert_int_equal(tan_doubts_find(&m->doubts, "tiers") != NULL, lacks);
        const struct tan_tiers tiers = tan_machine_tiers(m);
        assert_close(tiers.params[m->n_tiers]->value[TAN_A], 30e-6, 1e-18);
        assert_true(tiers.params[m->n_tiers]->nic_shared);
        if (!lacks) {
            const double *near = tiers.params[0]->value;
            assert_int_equal(tiers.params[0]->method, TAN_METHOD_OVERLAP);
            assert_close(near[TAN_L], 1e-6, 1e-18);
            assert_close(near[TAN_B], 3e-6, 1e-18);
            assert_close(near[TAN_C2], 0.5e-6, 1e-18);
            assert_close(near[TAN_C0], 6e-6, 1e-18);
            assert_int_equal(tan_machine_choose(m, false, path, &e), 0);
            assert_close(m->tier[0].params.value[TAN_L], 10e-6, 1e-18);
        }
        tan_machine_destroy(m);
        unlink(path);
    }
}

/* Parameters that are left out: children are received one after the other, and a missing latency
 * is doubted. */
TEST(assumes)
{
    struct tan_machine *m = with_tan("\"L_us\": 2, \"a_us\": 1");
    assert_int_equal(m->tan.method, TAN_METHOD_JOINT);
    assert_true(m->tan.unidentified[TAN_B] && m->tan.unidentified[TAN_C2]);
    assert_false(m->tan.unidentified[TAN_L] || m->tan.unidentified[TAN_G]);
    assert_close(m->tan.value[TAN_B], 1e-6, 1e-18);
    assert_true(m->tan.value[TAN_C2] == 0);
    assert_int_equal(m->doubts.n, 0);
    json_t *top = tan_machine_to_json(m);
    assert_null(json_object_get(json_object_get(top, "tan"), "b_us"));
    json_decref(top);
    tan_machine_destroy(m);

    m = with_tan("\"L_us\": 2, \"a_us\": 1, \"b_us\": 0.5, \"g_us\": 3");
    assert_close(m->tan.value[TAN_B], 0.5e-6, 1e-18);
    tan_machine_destroy(m);

    m = with_tan("\"a_us\": 1, \"b_us\": 0, \"c_us\": 0, \"r2\": 0.3");
    assert_int_equal(m->doubts.n, 2);
    assert_string_equal(m->doubts.row[0].kind, "r2");
    assert_close(m->doubts.row[0].amount, 0.3, 1e-12);
    assert_string_equal(m->doubts.row[1].kind, "not-identified");
    assert_int_equal(m->doubts.row[1].touches, 1u << TAN_L);
    top = tan_machine_to_json(m); /* a reader raises them again */
    assert_null(json_object_get(top, "doubts"));
    json_decref(top);
    tan_machine_destroy(m);
}

/* Intervals without draws: as many draws beyond either end as a 95 % interval says, 25 of 1000 give
 * or take four standard deviations of 5; an unidentified parameter lies anywhere in its own. */
TEST(draws_from_intervals)
{
    struct tan_machine *m = with_tan("\"L_us\": 10, \"a_us\": 5, \"c_us\": 0, \"ci95\":"
                                     "{\"L_us\": [8, 13], \"b_us\": [0, 20]}");
    const double *draws = m->tan.draws;
    int below = 0;
    int above = 0;
    int small = 0;
    assert_int_equal(m->tan.n_draws, 1000);
    for (int i = 0; i < m->tan.n_draws; i++, draws += TAN_PARAMS) {
        below += draws[TAN_L] < 8e-6;
        above += draws[TAN_L] > 13e-6;
        small += draws[TAN_B] < 5e-6;
        assert_true(draws[TAN_A] == m->tan.value[TAN_A]);
        assert_true(draws[TAN_B] >= 0 && draws[TAN_B] <= 20e-6);
    }
    assert_in_range(below, 5, 45);
    assert_in_range(above, 5, 45);
    assert_in_range(small, 190, 310);
    json_t *top = tan_machine_to_json(m);
    assert_null(json_object_get(json_object_get(top, "tan"), "draws_us"));
    json_decref(top);
    tan_machine_destroy(m);
}

TEST(finds)
{
    struct tan_error e = TAN_ERROR_INIT;
    char *used;
    setenv("HOME", scratch, 1);
    unsetenv("XDG_CONFIG_HOME");

    struct tan_machine *m = tan_machine_find(NULL, &used, &e); /* no user's file yet: cab.json */
    assert_no_error(e);
    assert_string_equal(m->name, "Cab");
    assert_non_null(strstr(used, "cab.json"));
    assert_true(m->stand_in);
    free(used);

    free(m->name);
    m->name = strdup("Mine");
    char wanted[PATH_MAX + 32];
    snprintf(wanted, sizeof wanted, "%s/.config/tan/machine.json", scratch);
    assert_int_equal(tan_machine_save_user(m, wanted, &e), 0);
    assert_no_error(e);
    tan_machine_destroy(m);
    m = tan_machine_find(NULL, &used, &e);
    assert_no_error(e);
    assert_string_equal(m->name, "Mine");
    assert_string_equal(used, wanted);
    free(used);
    tan_machine_destroy(m);

    m = tan_machine_find("configs/cab.json", &used, &e); /* a path that is named wins */
    assert_no_error(e);
    assert_string_equal(m->name, "Cab");
    assert_false(m->stand_in);
    free(used);
    tan_machine_destroy(m);

    m = tan_machine_find("t3d", &used, &e); /* a shipped one */
    assert_no_error(e);
    assert_string_equal(m->name, "Cray T3D");
    assert_non_null(strstr(used, "/t3d.json"));
    assert_false(m->stand_in);
    free(used);
    tan_machine_destroy(m);
    assert_null(tan_machine_find("t3e", &used, &e));
    assert_null(used);
    assert_error(
        e, TAN_FAILED,
        "there is no file \"t3e\", and no shipped machine of this name (did you mean t3d?); "
        "there are cab, ");

    /* A user's file that is broken is an error, no reason to take another machine. */
    FILE *broken = fopen(wanted, "w");
    fputs("{", broken);
    fclose(broken);
    assert_null(tan_machine_find(NULL, &used, &e));
    assert_null(used);
    assert_string_equal(e.source, wanted);
    assert_error(e, TAN_FAILED, "not valid JSON");
    unlink(wanted);

    setenv("XDG_CONFIG_HOME", "relative", 1); /* to be ignored */
    char *own = tan_machine_user_path(true, &e);
    assert_string_equal(own, wanted);
    free(own);
    own = tan_machine_user_path(false, &e);
    assert_non_null(strstr(own, "/.config/tan/machine.untrusted.json"));
    free(own);
    setenv("XDG_CONFIG_HOME", "/elsewhere", 1);
    own = tan_machine_user_path(true, &e);
    assert_string_equal(own, "/elsewhere/tan/machine.json");
    free(own);
    setenv("XDG_CONFIG_HOME", "/red\033[31m", 1); /* the path is printed */
    assert_null(tan_machine_user_path(true, &e));
    assert_error(e, TAN_FAILED, "/red?[31m/tan/machine.json: XDG_CONFIG_HOME or HOME contains");
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("HOME");
    assert_null(tan_machine_user_path(true, &e));
    assert_error(e, TAN_FAILED, "HOME");
    m = tan_machine_find(NULL, &used, &e);
    assert_no_error(e);
    assert_string_equal(m->name, "Cab");
    free(used);
    tan_machine_destroy(m);

    setenv("HOME", "/dev/null", 1); /* no folder can be made there */
    m = tan_machine_create("m", &e);
    assert_int_equal(tan_machine_save_user(m, "/dev/null/.config/tan/machine.json", &e), -1);
    assert_error(e, TAN_FAILED, "cannot make the directory /dev/null/.config");
    tan_machine_destroy(m);
    static const char *const made[] = {"/.config/tan", "/.config"};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        snprintf(wanted, sizeof wanted, "%s%s", scratch, made[i]);
        assert_int_equal(rmdir(wanted), 0);
    }
}

TEST(names_methods)
{
    struct tan_error e = TAN_ERROR_INIT;
    enum tan_method method = TAN_METHOD_PAPER;
    assert_int_equal(tan_method_parse("joint", &method, &e), 0);
    assert_int_equal(method, TAN_METHOD_JOINT);
    assert_int_equal(tan_method_parse("paper", &method, &e), 0);
    assert_string_equal(tan_method_name(method), "paper");
    assert_int_equal(tan_method_parse("Joint", &method, &e), -1);
    assert_error(e, TAN_USAGE, "\"Joint\" is not one of paper, joint");
}

/* What a machine has of a fit is its own. */
TEST(copies_parameters)
{
    struct tan_error e = TAN_ERROR_INIT;
    double draws[2 * TAN_PARAMS] = {1e-6, 2e-6};
    struct tan_params params = {.value = {3e-6}, .draws = draws, .n_draws = 2};
    struct tan_machine *machine = tan_machine_create("m", &e);
    assert_int_equal(tan_machine_set_tan(machine, &params, &e), 0);
    assert_ptr_not_equal(machine->tan.draws, draws);
    assert_close(machine->tan.value[TAN_L], 3e-6, 0);
    assert_close(machine->tan.draws[1], 2e-6, 0);
    params = (struct tan_params){.value = {4e-6}};
    assert_int_equal(tan_machine_set_tan(machine, &params, &e), 0);
    assert_null(machine->tan.draws);
    assert_int_equal(machine->tan.n_draws, 0);
    tan_machine_destroy(machine);
}

RUN_TESTS(make_scratch, remove_scratch)
