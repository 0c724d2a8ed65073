/* imports.c - untraced MPI calls of a program
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracer/imports.h"

#include <ctype.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracer/notice.h"

/* Calls that neither move data nor create communicators, by prefix. */
static const char *const local[] = {
    "MPI_Abort",
    "MPI_Add_error",
    "MPI_Address",
    "MPI_Aint_",
    "MPI_Alloc_mem",
    "MPI_Attr_",
    "MPI_Buffer_",
    "MPI_Cart_coords",
    "MPI_Cartdim_get",
    "MPI_Cart_get",
    "MPI_Cart_map",
    "MPI_Cart_rank",
    "MPI_Cart_shift",
    "MPI_Close_port",
    "MPI_Comm_c2f",
    "MPI_Comm_call_errhandler",
    "MPI_Comm_compare",
    "MPI_Comm_create_errhandler",
    "MPI_Comm_create_keyval",
    "MPI_Comm_delete_attr",
    "MPI_Comm_f2c",
    "MPI_Comm_free_keyval",
    "MPI_Comm_get_",
    "MPI_Comm_group",
    "MPI_Comm_rank",
    "MPI_Comm_remote_",
    "MPI_Comm_set_",
    "MPI_Comm_size",
    "MPI_Comm_test_inter",
    "MPI_Dims_create",
    "MPI_Dist_graph_neighbors",
    "MPI_Errhandler_",
    "MPI_Error_",
    "MPI_File_c2f",
    "MPI_File_call_errhandler",
    "MPI_File_create_errhandler",
    "MPI_File_delete",
    "MPI_File_f2c",
    "MPI_File_get_",
    "MPI_File_set_errhandler",
    "MPI_Finalized",
    "MPI_Free_mem",
    "MPI_Get_address",
    "MPI_Get_count",
    "MPI_Get_elements",
    "MPI_Get_library_version",
    "MPI_Get_processor_name",
    "MPI_Get_version",
    "MPI_Graphdims_get",
    "MPI_Graph_get",
    "MPI_Graph_map",
    "MPI_Graph_neighbors",
    "MPI_Grequest_complete",
    "MPI_Group_",
    "MPI_Info_",
    "MPI_Initialized",
    "MPI_Is_thread_main",
    "MPI_Keyval_",
    "MPI_Lookup_name",
    "MPI_Message_c2f",
    "MPI_Message_f2c",
    "MPI_Op_",
    "MPI_Open_port",
    "MPI_Pack",
    "MPI_Pcontrol",
    "MPI_Publish_name",
    "MPI_Query_thread",
    "MPI_Reduce_local",
    "MPI_Register_datarep",
    "MPI_Request_c2f",
    "MPI_Request_f2c",
    "MPI_Request_get_status",
    "MPI_Status_",
    "MPI_T_",
    "MPI_Test_cancelled",
    "MPI_Topo_test",
    "MPI_Type_",
    "MPI_Unpack",
    "MPI_Unpublish_name",
    "MPI_Win_attach",
    "MPI_Win_c2f",
    "MPI_Win_call_errhandler",
    "MPI_Win_create_errhandler",
    "MPI_Win_create_keyval",
    "MPI_Win_delete_attr",
    "MPI_Win_detach",
    "MPI_Win_f2c",
    "MPI_Win_free_keyval",
    "MPI_Win_get_",
    "MPI_Win_set_attr",
    "MPI_Win_set_errhandler",
    "MPI_Win_set_name",
    "MPI_Win_shared_query",
    "MPI_Wtick",
    "MPI_Wtime",
};

static bool is_local(const char *name)
{
    for (size_t i = 0; i < sizeof local / sizeof local[0]; i++) {
        if (strncmp(name, local[i], strlen(local[i])) == 0) {
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
            !is_local(name) && !is_traced(names, symbol) &&
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
