/* Templates and assets: built in, or read from folders. */
#include "site.h"
#include "builtin.h"
#include "hash.h"
#include "limit.h"
#include "look_private.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Set by the build: the day of the last commit, so that equal programs say equal dates. */
#ifndef BUILD_EPOCH
#define BUILD_EPOCH 0
#endif

struct file_list {
    struct builtin_file *files;
    size_t count;
};

/* --- Folders --- */

bool site_read_file(struct arena *arena, const char *path, struct builtin_file *file,
                    struct error *error) {
    FILE *stream = fopen(path, "rbe");
    struct stat status;
    if (stream == NULL || fstat(fileno(stream), &status) != 0) {
        bool result =
            error_set(error, ERROR_IO, "cannot open %s: %s", path, strerrordesc_np(errno));
        if (stream != NULL) {
            (void)fclose(stream);
        }
        return result;
    }
    if (!S_ISREG(status.st_mode)) {
        (void)fclose(stream);
        return error_set(error, ERROR_IO, "cannot read %s: not a regular file", path);
    }
    size_t length = (size_t)status.st_size;
    unsigned char *bytes = length > LIMIT_FILE_BYTES ? NULL : arena_alloc(arena, length + 1, 1);
    bool complete = bytes != NULL && fread(bytes, 1, length, stream) == length;
    (void)fclose(stream);
    if (!complete) {
        return error_set(
            error, ERROR_IO,
            "cannot read %s: it changed, memory ran out, or it is larger than %d bytes", path,
            LIMIT_FILE_BYTES);
    }
    file->bytes = bytes;
    file->length = length;
    return true;
}

static int compare_files(const void *one, const void *other) {
    return strcmp(((const struct builtin_file *)one)->name,
                  ((const struct builtin_file *)other)->name);
}

struct walk {
    struct arena *arena;
    const char *folder;
    struct file_list *list; /* files is NULL while counting */
    size_t expected;        /* how many files has room for */
    struct error *error;
};

/* folder/name in the arena, or just one of them where the other is empty. */
static char *join(struct arena *arena, const char *folder, const char *name) {
    size_t length = strlen(folder) + strlen(name) + 2;
    char *path = arena_alloc(arena, length, 1);
    if (path != NULL) {
        (void)snprintf(path, length, "%s%s%s", folder,
                       folder[0] == '\0' || name[0] == '\0' ? "" : "/", name);
    }
    return path;
}

static bool walk_folder(struct walk *walk, const char *relative);

/* Counts or reads one entry of a folder, and goes down where it is a folder itself. */
static bool walk_entry(struct walk *walk, const char *relative, const char *entry) {
    struct stat status;
    char *name = join(walk->arena, relative, entry);
    char *path = name == NULL ? NULL : join(walk->arena, walk->folder, name);
    if (path == NULL) {
        return error_no_memory(walk->error);
    }
    if (stat(path, &status) != 0) {
        return error_set(walk->error, ERROR_IO, "cannot open %s: %s", path, strerrordesc_np(errno));
    }
    if (S_ISDIR(status.st_mode)) {
        return walk_folder(walk, name);
    }
    if (!S_ISREG(status.st_mode)) {
        return true;
    }
    size_t place = walk->list->count++;
    if (walk->list->files == NULL || place >= walk->expected) {
        return true;
    }
    walk->list->files[place].name = name;
    return site_read_file(walk->arena, path, &walk->list->files[place], walk->error);
}

/* Counts or reads the files below folder/relative. */
static bool walk_folder(struct walk *walk, const char *relative) {
    char *path = join(walk->arena, walk->folder, relative);
    if (path == NULL) {
        return error_no_memory(walk->error);
    }
    DIR *directory = opendir(path);
    if (directory == NULL) {
        return error_set(walk->error, ERROR_IO, "cannot open the folder %s: %s", path,
                         strerrordesc_np(errno));
    }
    bool good = true;
    const struct dirent *entry = NULL;
    while (good && (entry = readdir(directory)) != NULL) {
        bool is_dots = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        good = is_dots || walk_entry(walk, relative, entry->d_name);
    }
    (void)closedir(directory);
    return good;
}

static bool read_folder(struct arena *arena, const char *folder, struct file_list *out_list,
                        struct error *error) {
    struct file_list list = {0};
    struct walk walk = {.arena = arena, .folder = folder, .list = &list, .error = error};
    if (!walk_folder(&walk, "")) {
        return false;
    }
    walk.expected = list.count;
    list.files = arena_alloc(arena, walk.expected + 1, sizeof(struct builtin_file));
    list.count = 0;
    if (list.files == NULL) {
        return error_no_memory(error);
    }
    if (!walk_folder(&walk, "")) {
        return false;
    }
    if (list.count != walk.expected) {
        return error_set(error, ERROR_IO, "the folder %s changed while it was read", folder);
    }
    qsort(list.files, list.count, sizeof(list.files[0]), compare_files);
    *out_list = list;
    return true;
}

/* --- Templates --- */

/* Pages are asked for by name: one that is missing would only be noticed by its first reader. */
static bool has_every_template(const struct file_list *list, const char *folder,
                               struct error *error) {
    size_t count = 0;
    const struct builtin_file *wanted = builtin_templates(&count);
    for (size_t i = 0; i < count; i++) {
        if (bsearch(&wanted[i], list->files, list->count, sizeof(wanted[0]), compare_files) ==
            NULL) {
            return error_set(error, ERROR_INVALID, "the folder %s has no template %s", folder,
                             wanted[i].name);
        }
    }
    return true;
}

static struct template_file *name_templates(struct arena *arena, const struct file_list *list) {
    struct template_file *files = arena_alloc(arena, list->count + 1, sizeof(struct template_file));
    for (size_t i = 0; files != NULL && i < list->count; i++) {
        files[i] = (struct template_file){.name = list->files[i].name,
                                          .bytes = (const char *)list->files[i].bytes,
                                          .length = list->files[i].length};
    }
    return files;
}

static bool load_templates(struct site *site, const char *folder, struct error *error) {
    struct file_list list = {0};
    if (folder == NULL) {
        list.files = (struct builtin_file *)builtin_templates(&list.count);
    } else if (!read_folder(&site->arena, folder, &list, error) ||
               !has_every_template(&list, folder, error)) {
        return false;
    }
    const struct template_file *files = name_templates(&site->arena, &list);
    if (files == NULL) {
        return error_no_memory(error);
    }
    site->templates = folder == NULL ? template_load_proved(files, list.count, error)
                                     : template_load(files, list.count, error);
    return site->templates != NULL;
}

bool site_prove_templates(struct error *error) {
    struct arena arena = {0};
    struct file_list list = {0};
    list.files = (struct builtin_file *)builtin_templates(&list.count);
    const struct template_file *files = name_templates(&arena, &list);
    struct template_set *set = files == NULL ? NULL : template_load(files, list.count, error);
    bool good = set != NULL || (files == NULL && error_no_memory(error));
    template_free(set);
    arena_free(&arena);
    return good;
}

/* --- Assets --- */

static const char *content_type_of(const char *name) {
    static const struct {
        const char *suffix;
        const char *content_type;
    } types[] = {
        {".css", "text/css; charset=utf-8"},
        {".ico", "image/x-icon"},
        {".js", "text/javascript; charset=utf-8"},
        {".schema.json", "application/schema+json"},
        {".png", "image/png"},
        {".svg", "image/svg+xml"},
        {".txt", "text/plain; charset=utf-8"},
        {".webmanifest", "application/manifest+json"},
    };
    size_t length = strlen(name);
    for (size_t i = 0; i < ARRAY_LENGTH(types); i++) {
        size_t suffix_length = strlen(types[i].suffix);
        if (length > suffix_length && strcmp(name + length - suffix_length, types[i].suffix) == 0) {
            return types[i].content_type;
        }
    }
    return NULL;
}

/* Adds files, but for those that the list has already. */
static bool add_files(struct site *site, const struct builtin_file *added, size_t count,
                      struct file_list *list, struct error *error) {
    struct builtin_file *files =
        arena_alloc(&site->arena, list->count + count + 1, sizeof(struct builtin_file));
    if (files == NULL) {
        return error_no_memory(error);
    }
    if (list->count > 0) {
        memcpy(files, list->files, list->count * sizeof(files[0]));
    }
    size_t total = list->count;
    for (size_t i = 0; i < count; i++) {
        if (list->count == 0 ||
            bsearch(&added[i], list->files, list->count, sizeof(files[0]), compare_files) == NULL) {
            files[total++] = added[i];
        }
    }
    qsort(files, total, sizeof(files[0]), compare_files);
    *list = (struct file_list){.files = files, .count = total};
    return true;
}

/* The files of the site's own look come first, then those of the folder, then what the build drew.
 */
static bool list_assets(struct site *site, const struct site_options *options,
                        struct file_list *out, struct error *error) {
    const struct builtin_file wanted = {.name = "site.css"};
    struct file_list folder = {0};
    if (options->public_folder == NULL) {
        folder.files = (struct builtin_file *)builtin_assets(&folder.count);
    } else if (!read_folder(&site->arena, options->public_folder, &folder, error)) {
        return false;
    }
    const struct builtin_file *sheet =
        folder.count == 0
            ? NULL
            : bsearch(&wanted, folder.files, folder.count, sizeof(wanted), compare_files);
    size_t drawn_count = 0;
    const struct builtin_file *drawn = builtin_drawn(&drawn_count);
    return look_load(options->site_file, sheet, &site->arena, &site->look, error) &&
           add_files(site, site->look.files, site->look.file_count, out, error) &&
           add_files(site, folder.files, folder.count, out, error) &&
           add_files(site, drawn, drawn_count, out, error);
}

static bool load_assets(struct site *site, const struct site_options *options,
                        struct error *error) {
    struct file_list list = {0};
    if (!list_assets(site, options, &list, error)) {
        return false;
    }
    site->assets = arena_alloc(&site->arena, list.count + 1, sizeof(struct asset));
    if (site->assets == NULL) {
        return error_no_memory(error);
    }
    for (size_t i = 0; i < list.count; i++) {
        const struct builtin_file *file = &list.files[i];
        struct asset *asset = &site->assets[site->asset_count++];
        size_t path_length = strlen(file->name) + 2;
        char *path = arena_alloc(&site->arena, path_length, 1);
        char hash[HASH_XXH3_HEX_BYTES];
        if (path == NULL) {
            return error_no_memory(error);
        }
        (void)snprintf(path, path_length, "/%s", file->name);
        hash_xxh3_hex(file->bytes, file->length, hash);
        asset->path = path;
        asset->bytes = file->bytes;
        asset->length = file->length;
        memcpy(asset->version, hash, sizeof(asset->version) - 1);
        asset->content_type = content_type_of(file->name);
        if (asset->content_type == NULL) {
            return error_set(error, ERROR_UNSUPPORTED,
                             "the asset %s has an ending that the program has no content type for",
                             file->name);
        }
    }
    return true;
}

static int compare_asset_path(const void *path, const void *asset) {
    return strcmp(path, ((const struct asset *)asset)->path);
}

const struct asset *site_asset(const struct site *site, const char *path) {
    return bsearch(path, site->assets, site->asset_count, sizeof(site->assets[0]),
                   compare_asset_path);
}

bool site_load(const struct site_options *options, struct site *out_site, struct error *error) {
    struct site site = {.modified = BUILD_EPOCH};
    site.public_url = arena_text(&site.arena, options->public_url);
    site.base_path = options->base_path == NULL ? "" : arena_text(&site.arena, options->base_path);
    bool has_names =
        (options->public_url == NULL || site.public_url != NULL) && site.base_path != NULL;
    if ((!has_names && !error_no_memory(error)) ||
        !load_templates(&site, options->templates_folder, error) ||
        !load_assets(&site, options, error)) {
        site_free(&site);
        return false;
    }
    *out_site = site;
    return true;
}

void site_free(struct site *site) {
    template_free(site->templates);
    arena_free(&site->arena);
    *site = (struct site){0};
}
