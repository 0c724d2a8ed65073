/* imports.c - untraced MPI calls of a program
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/tracer/imports.h"

#include <ctype.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/tracer/notice.h"

/* Calls that move data and are not traced, by the ends of their names: those with large counts,
 * what MPI 4 has added, and in Fortran, under Open MPI, windows and files. */
static const char *const missed[] = {
    "_c",
    "_init",
    "endrecv",
    "endrecv_replace",
    "Win_create",
    "Win_allocate",
    "Win_allocate_shared",
    "Win_create_dynamic",
    "File_open",
};
/* Of those with large counts, calls that move none. */
static const char *const local[] = {"MPI_Get_", "MPI_Op_", "MPI_Pack", "MPI_Type_", "MPI_Unpack"};

static bool is_missed(const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof local / sizeof local[0]; i++) {
        if (strncmp(name, local[i], strlen(local[i])) == 0) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof missed / sizeof missed[0]; i++) {
        const size_t end = strlen(missed[i]);
        if (length >= end && strcmp(name + length - end, missed[i]) == 0) {
            return true;
        }
    }
    return false;
}

struct names {
    char text[4096]; /* separated by spaces */
    size_t used, n;
    void *self; /* base address of this library */
    bool f08;   /* the program uses mpi_f08, whose functions have names of their own */
};

/* Whether the dynamic linker resolves this name to our function. */
static bool is_traced(const struct names *names, const char *name)
{
    Dl_info at;
    void *function = dlsym(RTLD_DEFAULT, name);
    return function != NULL && dladdr(function, &at) != 0 && at.dli_fbase == names->self;
}

static void add_name(struct names *names, const char *name)
{
    char between[256];
    const size_t length = (size_t)snprintf(between, sizeof between, " %.250s ", name);
    if (strstr(names->text, between) == NULL && names->used + length < sizeof names->text) {
        strcpy(names->text + names->used, between + 1);
        names->used += length - 1;
        names->n++;
    }
}

static const void *address_in(const struct dl_phdr_info *object, ElfW(Addr) value)
{
    /* the C library relocates this for most objects, but not for the vDSO */
    return (const void *)(value < object->dlpi_addr ? object->dlpi_addr + value : value);
}

/* MPI's own libraries call their own functions. */
static bool is_mpi(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    return strncmp(name, "libmpi", 6) == 0 || strncmp(name, "mca_", 4) == 0 ||
           strncmp(name, "libopen-", 8) == 0 || strncmp(name, "libmca_", 7) == 0;
}

/* The C name of a call; false if the symbol is none. Fortran names matter only under Open MPI,
 * where they bypass the wrappers for C. */
static bool c_name_of(const char *symbol, char *name, size_t size)
{
    if (strncmp(symbol, "MPI_", 4) == 0) {
        snprintf(name, size, "%s", symbol);
        return true;
    }
#ifdef OPEN_MPI
    if (strncmp(symbol, "mpi_", 4) == 0) {
        snprintf(name, size, "MPI_%c%s", toupper((unsigned char)symbol[4]), symbol + 5);
        char *last = name + strlen(name) - 1;
        *last = *last == '_' ? '\0' : *last;
        return true;
    }
#endif
    return false;
}

static int add_imports(struct dl_phdr_info *object, size_t size, void *context)
{
    struct names *names = context;
    const ElfW(Sym) *symbols = NULL;
    const char *strings = NULL;
    (void)size;
    if (is_mpi(object->dlpi_name)) {
        return 0;
    }
    for (int i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) {
            continue;
        }
        const ElfW(Dyn) *d = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        for (; d->d_tag != DT_NULL; d++) {
            symbols = d->d_tag == DT_SYMTAB ? address_in(object, d->d_un.d_ptr) : symbols;
            strings = d->d_tag == DT_STRTAB ? address_in(object, d->d_un.d_ptr) : strings;
        }
    }
    /* The dynamic section has no symbol count; linkers place the string table right after the
     * symbols. */
    if (symbols == NULL || strings == NULL || (const char *)symbols >= strings) {
        return 0;
    }
    const size_t n = (size_t)(strings - (const char *)symbols) / sizeof *symbols;
    for (size_t i = 1; i < n; i++) {
        const char *symbol = strings + symbols[i].st_name;
        char name[256];
        names->f08 = names->f08 || strcmp(symbol, "mpi_init_f08_") == 0 ||
                     strcmp(symbol, "mpi_init_thread_f08_") == 0;
        if (symbols[i].st_shndx == SHN_UNDEF && c_name_of(symbol, name, sizeof name) &&
            is_missed(name) && !is_traced(names, symbol) &&
            ELF64_ST_TYPE(symbols[i].st_info) != STT_OBJECT) {
            add_name(names, symbol);
        }
    }
    return 0;
}

void imports_report(bool aloud, void (*comment)(const char *text))
{
    static struct names names = {.text = " ", .used = 1};
    static char text[sizeof names.text + 64];
    Dl_info self;
    if (dladdr(&names, &self) == 0) {
        return;
    }
    names.self = self.dli_fbase;
    dl_iterate_phdr(add_imports, &names);
    if (names.n == 0) {
        return;
    }
    names.text[names.used - 1] = '\0';
    snprintf(text, sizeof text, "not traced, if they are called:%s", names.text);
    comment(text);
    if (aloud) {
        notice("%s", text);
    }
}

#ifdef OPEN_MPI
#define OWN_MPI "Open MPI"
#else
#define OWN_MPI "MPICH"
#endif

static void report_f08(void)
{
    static struct names names = {.text = " ", .used = 1};
    dl_iterate_phdr(add_imports, &names);
    if (names.f08 && notice_is_first()) {
        notice("calls of Fortran's module mpi_f08 are not traced");
    }
}

const char *imports_mpi(void)
{
    /* another MPI may write more than our MPI_MAX_LIBRARY_VERSION_STRING */
    enum { LONGEST = 1 << 14 };
    static char version[LONGEST] = "";
    int length;
    PMPI_Get_library_version(version, &length);
    version[strcspn(version, "\n,")] = '\0';
    return version;
}

void imports_check_mpi(void)
{
    const char *version = imports_mpi();
    /* MPICH derivatives share its handles under different names */
    const bool is_open_mpi = strstr(version, "Open MPI") != NULL;
    if (is_open_mpi == (strcmp(OWN_MPI, "Open MPI") == 0)) {
        return;
    }
    if (notice_is_first()) {
        notice("this one is for " OWN_MPI ", and the program's MPI is %s: preload the "
               "libtantrace.so that was built for it",
               version);
    }
    _exit(1);
}

/* At load time, since a Fortran program may never call this library. */
__attribute__((constructor)) static void check_at_load(void)
{
    imports_check_mpi();
    report_f08();
}
