/* base/postgres/private_cluster_settings.c: see private_cluster_settings.h.
 *
 * Paths need only single quotes: private_cluster_find refuses a home with a quote or backslash.
 */
#include "base/postgres/private_cluster_settings.h"

#include "base/system/file.h"

#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const int64_t mebibyte = INT64_C(1024) * 1024;

/* Memory of the machine, or of the control group if that has less. */
static int64_t memory_mebibytes(void)
{
    int64_t bytes = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    long long limit;
    FILE *file = fopen("/sys/fs/cgroup/memory.max", "re");
    /* "max": nothing is read */
    if (file != NULL && fscanf(file, "%lld", &limit) == 1 && limit < bytes)
        bytes = limit;
    if (file != NULL)
        fclose(file);
    return bytes / mebibyte;
}

static int between(int64_t lowest, int64_t value, int64_t highest)
{
    return (int)(value < lowest ? lowest : value > highest ? highest : value);
}

/* Parallel workers exchange rows in /dev/shm. A container may limit it to 64 MB, and in a bare
 * chroot it is a folder that only root may write to. */
static const char *shared_memory_type(void)
{
    struct stat folder;
    struct statvfs volume;
    bool usable = stat("/dev/shm", &folder) == 0 && (folder.st_mode & S_IWOTH) != 0 &&
                  statvfs("/dev/shm", &volume) == 0 &&
                  (int64_t)volume.f_bavail * (int64_t)volume.f_frsize >= 512 * mebibyte;
    return usable ? "posix" : "sysv";
}

static void write_main(const struct private_cluster *cluster, FILE *out)
{
    int64_t memory = memory_mebibytes();
    int processors = between(1, sysconf(_SC_NPROCESSORS_ONLN), 64);
    fprintf(out,
            "# Written by kstar at every start. Your own settings belong in local.conf beside this file.\n"
            "hba_file = '%s/pg_hba.conf'\n"
            "ident_file = '%s/pg_ident.conf'\n"
            "\n# A Unix socket and nothing else.\n"
            "listen_addresses = ''\n"
            "unix_socket_permissions = 0700\n"
            "max_connections = 40\n"
            "shared_preload_libraries = 'plpgsql'  # or each connection loads it anew\n"
            "client_connection_check_interval = 10s  # a statement ends soon after its client has died\n",
            cluster->home, cluster->home);
    fprintf(out,
            "\n# Memory: %lld MB here.\n"
            "shared_buffers = %dMB  # little: the kernel's cache costs fewer page faults\n"
            "effective_cache_size = %dMB\n"
            "work_mem = %dMB\n"
            "temp_buffers = %dMB  # a statement is worked out in temporary tables\n"
            "maintenance_work_mem = %dMB\n"
            "random_page_cost = 1.1  # of a solid-state disk: a month among many is looked up\n"
            "dynamic_shared_memory_type = %s\n",
            (long long)memory, between(64, memory / 8, 128), between(128, memory / 2, 1 << 20),
            between(8, memory / 96, 256), between(8, memory / 96, 256), between(64, memory / 24, 1024),
            shared_memory_type());
    fprintf(out, "\n# A commit is on the disk; no replicas, so bulk loads need little log.\n"
                 "synchronous_commit = on\n"
                 "wal_level = minimal\n"
                 "max_wal_senders = 0\n"
                 "backend_flush_after = 2MB  # the disk works during a load, so that its commit waits less\n"
                 "max_wal_size = 4GB\n"
                 "checkpoint_timeout = 15min\n"
                 "checkpoint_completion_target = 0.9\n");
    fprintf(out,
            "\n# Long statements: compiling them costs more than it saves, other processors help.\n"
            "jit = off\n"
            "max_worker_processes = %d\n"
            "max_parallel_workers = %d\n"
            "max_parallel_workers_per_gather = %d\n"
            "max_parallel_maintenance_workers = %d\n",
            processors + 8, processors, between(1, processors, 8), between(1, processors, 8));
    fprintf(out,
            "\n# One file per weekday, overwritten a week later.\n"
            "logging_collector = on\n"
            "log_directory = '%s/log'\n"
            "log_filename = 'postgresql-%%a.log'\n"
            "log_truncate_on_rotation = on\n"
            "log_rotation_age = 1d\n"
            "log_rotation_size = 0\n"
            "log_line_prefix = '%%m [%%p] %%a '\n"
            "log_timezone = 'UTC'\n"
            "timezone = 'UTC'\n"
            "\ninclude_if_exists = 'local.conf'\n"
            "\n# Whatever local.conf says: where kstar looks for its server.\n"
            "data_directory = '%s'\n"
            "port = 5432\n"
            "unix_socket_directories = '\"%s\"'\n",
            cluster->home, cluster->data, cluster->socket);
}

static void write_hba(const struct private_cluster *cluster, FILE *out)
{
    (void)cluster;
    fputs("# Written by kstar at every start: whom pg_ident.conf maps, and nobody else.\n"
          "local all all peer map=kstar\n",
          out);
}

static void write_ident(const struct private_cluster *cluster, FILE *out)
{
    const struct passwd *caller = getpwuid(geteuid());
    fputs("# Written by kstar at every start: users of this machine who may be the superuser role kstar.\n",
          out);
    fprintf(out, "kstar \"%s\" kstar\n", cluster->user_name);
    if (caller != NULL && geteuid() != cluster->user)
        fprintf(out, "kstar \"%s\" kstar\n", caller->pw_name);
}

static const struct settings_file {
    const char *name;
    void (*write)(const struct private_cluster *cluster, FILE *out);
} settings_files[] = {
    { "postgresql.conf", write_main },
    { "pg_hba.conf", write_hba },
    { "pg_ident.conf", write_ident },
};

bool private_cluster_write_settings(const struct private_cluster *cluster, struct error *error)
{
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof settings_files / sizeof settings_files[0]; i++) {
        char *text = NULL;
        size_t length = 0;
        char *path = path_join(cluster->home, settings_files[i].name);
        FILE *out = open_memstream(&text, &length);
        settings_files[i].write(cluster, out);
        fclose(out);
        ok = file_write(path, text, length, 0644, error);
        free(text);
        free(path);
    }
    return ok;
}
