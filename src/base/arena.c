#include "arena.h"
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024 };

struct arena_block {
    struct arena_block *next;
    size_t capacity;
    alignas(max_align_t) unsigned char bytes[];
};

static struct arena_block *block_create(size_t capacity) {
    struct arena_block *block = calloc(1, sizeof(struct arena_block) + capacity);
    if (block != NULL) {
        block->capacity = capacity;
    }
    return block;
}

/* A large piece gets a block of its own, put behind the newest, which stays in use. */
static void *alloc_large(struct arena *arena, size_t length) {
    struct arena_block *block = block_create(length);
    if (block == NULL) {
        return NULL;
    }
    if (arena->blocks == NULL) {
        arena->blocks = block;
        arena->used = length;
    } else {
        block->next = arena->blocks->next;
        arena->blocks->next = block;
    }
    return block->bytes;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size) {
    size_t length = 0;
    if (__builtin_mul_overflow(count, size, &length) || length > SIZE_MAX / 2) {
        return NULL;
    }
    const size_t alignment = alignof(max_align_t);
    length = (length + alignment - 1) / alignment * alignment;
    if (length > BLOCK_BYTES / 4) {
        return alloc_large(arena, length);
    }
    if (arena->blocks == NULL || arena->blocks->capacity - arena->used < length) {
        struct arena_block *block = block_create(BLOCK_BYTES);
        if (block == NULL) {
            return NULL;
        }
        block->next = arena->blocks;
        arena->blocks = block;
        arena->used = 0;
    }
    void *memory = arena->blocks->bytes + arena->used;
    arena->used += length;
    return memory;
}

char *arena_text(struct arena *arena, const char *text) {
    if (text == NULL) {
        return NULL;
    }
    size_t length = strlen(text) + 1;
    char *copy = arena_alloc(arena, length, 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
    }
    return copy;
}

void arena_free(struct arena *arena) {
    while (arena->blocks != NULL) {
        struct arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    arena->used = 0;
}
