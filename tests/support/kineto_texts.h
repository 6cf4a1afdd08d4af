/* kineto_texts.h - Kineto traces that a test writes down, read to the case c, which each program
 * that includes this has one of. Every trace is read with batches of one row, of two and of a
 * thousand, which must not matter. */
#ifndef HC_TESTS_SUPPORT_KINETO_TEXTS_H
#define HC_TESTS_SUPPORT_KINETO_TEXTS_H

#include "tests/support/bytes_source.h"
#include "tests/support/kineto_case.h"

#include <check.h>
#include <stdio.h>

static struct kineto_case c;

static inline void read_as(const char *name, const char *text, size_t length)
{
    struct hc_source source = bytes_source(name, text, length);
    kineto_case_fini(&c);
    for (size_t rows = 1; rows <= 1000; rows += rows == 1 ? 1 : 998) {
        struct kineto_case again;
        kineto_case_read(&again, &source, rows, false);
        if (rows > 1) {
            ck_assert_int_eq(again.status, c.status);
            for (size_t i = 0; i < HC_PROFILE_N_TABLES && !c.status; i++)
                ck_assert_uint_eq(again.table[i].n_rows, c.table[i].n_rows);
            kineto_case_fini(&c);
        }
        c = again;
    }
    hc_source_close(&source);
}

static inline void read_text(const char *text)
{
    read_as("trace.json", text, strlen(text));
    ck_assert_msg(!c.status, "%s", c.err.message);
}

/* {"schemaVersion": 1, "traceEvents": [<events>]} */
static inline void read_events(const char *events)
{
    static char text[(1 << 20) + 100];
    snprintf(text, sizeof text, "{\"schemaVersion\": 1, \"traceEvents\": [%s]}", events);
    read_text(text);
}

#define TIMES "\"pid\": 1, \"tid\": 2, \"ts\": 10, \"dur\": 5"
#define OP    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op\", " TIMES "}"

#define INFO                                                                                       \
    "\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": 3, \"world_size\": 8, \"pg_config\": " \
    "[{\"pg_name\": \"0\", \"pg_desc\": \"default_pg\", \"pg_size\": 8, \"ranks\": [1, 3]}, "      \
    "{\"pg_name\": \"5\", \"pg_size\": 2, \"ranks\": \"[3, 7]\"}, {\"ranks\": \"[3, ...]\"}, "     \
    "{\"pg_name\": 9, \"extra\": {\"a\": [1, {}]}, \"ranks\": []}], \"x\": [[]]}"

static inline int64_t count(enum hc_ranks_column column)
{
    return kineto_case_count(&c, column);
}

#endif
