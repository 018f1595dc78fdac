/* A file system that fails on purpose: preloaded, it counts the operations on files below a folder, in a process and all
   that it starts, and makes one of them fail, fall short, wait, or be the process's last.

   FAILING_FOLDER  the folder (absolute)          FAILING_COUNTER  a file of 8 bytes that all processes count in
   FAILING_AT      which operation, from 1        FAILING_PART     only paths that hold this count
   FAILING_HOW     count eio full short slow kill (a file without a name counts as "unnamed")
   full: every operation from then on that needs room fails; slow: all of them wait. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))real(#name))
#define MOST_FILES 65536
enum { FREE, NEEDS_ROOM };

static char folder[4096], part[256], how[16];
static long at;
static long *counter;
static unsigned char watched[MOST_FILES];

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

static void set(char *to, size_t size, const char *from) { snprintf(to, size, "%s", from ? from : ""); }

__attribute__((constructor)) void failing_arm(void) {
    const char *file = getenv("FAILING_COUNTER"), *number = getenv("FAILING_AT");
    set(folder, sizeof folder, getenv("FAILING_FOLDER"));
    set(part, sizeof part, getenv("FAILING_PART"));
    set(how, sizeof how, getenv("FAILING_HOW"));
    at = number ? atol(number) : 0;
    if (!file || !*folder) { counter = NULL; return; }
    int handle = REAL(open)(file, O_RDWR);
    if (handle < 0) return;
    void *memory = mmap(NULL, sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED, handle, 0);
    counter = memory == MAP_FAILED ? NULL : memory;
    REAL(close)(handle);
}

static int below(const char *path) {
    size_t length = strlen(folder);
    return counter && path && !strncmp(path, folder, length) && (!path[length] || path[length] == '/') &&
           strstr(path + length, part);
}

static int below_at(int directory, const char *path) {
    int relative = path && *path != '/' && directory >= 0 && directory < MOST_FILES;
    return below(path) || (counter && relative && watched[directory]);
}

static int is_watched(int file) { return counter && file >= 0 && file < MOST_FILES && watched[file]; }

/* Count one operation. 0: let it happen; an errno: fail; -1: do half. */
static int turn(int room) {
    long now = __atomic_add_fetch(counter, 1, __ATOMIC_SEQ_CST);
    if (!at || now < at) return 0;
    if (!strcmp(how, "full")) return room == NEEDS_ROOM ? ENOSPC : 0;
    if (!strcmp(how, "slow")) {
        struct timespec pause = {0, 5000000};
        nanosleep(&pause, NULL);
        return 0;
    }
    if (now > at) return 0;
    if (!strcmp(how, "eio")) return EIO;
    if (!strcmp(how, "short")) return -1;
    if (!strcmp(how, "kill")) kill(getpid(), SIGKILL);
    return 0;
}

static int fails(int yes, int room) {
    int fault = yes ? turn(room) : 0;
    if (fault > 0) errno = fault;
    return fault > 0;
}

static int opened(int file, int yes) {
    if (file >= 0 && file < MOST_FILES) watched[file] = yes;
    return file;
}

#define OPEN(name, directory, path, call, ...)                                                                         \
    int name(__VA_ARGS__, int flags, ...) {                                                                            \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;                                      \
        va_end(rest);                                                                                                  \
        char unnamed[8192];                                                                                            \
        snprintf(unnamed, sizeof unnamed, "%s/unnamed", path);                                                         \
        int yes = below_at(directory, (flags & __O_TMPFILE) == __O_TMPFILE ? unnamed : path);                          \
        if (fails(yes, flags & O_CREAT ? NEEDS_ROOM : FREE)) return -1;                                                \
        return opened(call, yes);                                                                                      \
    }
OPEN(open, -1, path, REAL(open)(path, flags, mode), const char *path)
OPEN(open64, -1, path, REAL(open64)(path, flags, mode), const char *path)
OPEN(openat, directory, path, REAL(openat)(directory, path, flags, mode), int directory, const char *path)
OPEN(openat64, directory, path, REAL(openat64)(directory, path, flags, mode), int directory, const char *path)

#define TRANSFER(name, room, call, ...)                                                                                \
    ssize_t name(__VA_ARGS__) {                                                                                        \
        int fault = is_watched(file) ? turn(room) : 0;                                                                 \
        if (fault > 0) { errno = fault; return -1; }                                                                   \
        if (fault < 0 && size > 1) size /= 2;                                                                          \
        return call;                                                                                                   \
    }
TRANSFER(write, NEEDS_ROOM, REAL(write)(file, data, size), int file, const void *data, size_t size)
TRANSFER(pwrite, NEEDS_ROOM, REAL(pwrite)(file, data, size, to), int file, const void *data, size_t size, off_t to)
TRANSFER(pwrite64, NEEDS_ROOM, REAL(pwrite64)(file, data, size, to), int file, const void *data, size_t size, off_t to)
TRANSFER(read, FREE, REAL(read)(file, data, size), int file, void *data, size_t size)
TRANSFER(pread, FREE, REAL(pread)(file, data, size, from), int file, void *data, size_t size, off_t from)
TRANSFER(pread64, FREE, REAL(pread64)(file, data, size, from), int file, void *data, size_t size, off_t from)

int close(int file) {
    int yes = is_watched(file);
    if (file >= 0 && file < MOST_FILES) watched[file] = 0;
    int done = REAL(close)(file); /* as on Linux: whatever it says, the file is closed */
    return fails(yes, FREE) ? -1 : done;
}

int fsync(int file) { return fails(is_watched(file), NEEDS_ROOM) ? -1 : REAL(fsync)(file); }
int rename(const char *from, const char *to) { return fails(below(to), NEEDS_ROOM) ? -1 : REAL(rename)(from, to); }
int link(const char *from, const char *to) { return fails(below(to), NEEDS_ROOM) ? -1 : REAL(link)(from, to); }
int linkat(int from_in, const char *from, int to_in, const char *to, int flags) {
    return fails(below(to), NEEDS_ROOM) ? -1 : REAL(linkat)(from_in, from, to_in, to, flags);
}
int unlink(const char *path) { return fails(below(path), FREE) ? -1 : REAL(unlink)(path); }
int unlinkat(int in, const char *path, int flags) {
    return fails(below_at(in, path), FREE) ? -1 : REAL(unlinkat)(in, path, flags);
}
int mkdir(const char *path, mode_t mode) { return fails(below(path), NEEDS_ROOM) ? -1 : REAL(mkdir)(path, mode); }
