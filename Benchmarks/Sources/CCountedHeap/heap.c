#include "ccountedheap.h"

// On other systems a program's own functions do not take the place of the C library's.
#if defined(__linux__)

  #include <errno.h>
  #include <stdatomic.h>
  #include <stdbool.h>
  #include <stdint.h>
  #include <string.h>
  #include <sys/mman.h>

enum {
  ALIGNMENT = 16,
  // Four sizes for each doubling, from 16 bytes on.
  CLASSES = 4 * 48,
  // Memory is taken from the system in parts of this size, or larger ones, and not given back.
  PART_BYTES = 1 << 26,
};

// Stands before what is handed out.
typedef struct {
  // Bytes that may be used.
  size_t room;
  uint32_t class;
  // From where the block's memory begins.
  uint32_t offset;
} header;

typedef struct free_block {
  struct free_block *next;
} free_block;

static free_block *free_blocks[CLASSES];
static char *part;
static size_t part_rest;
static size_t allocations;
static atomic_flag lock = ATOMIC_FLAG_INIT;

static void take_lock(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {}
}

static void release_lock(void) {
  atomic_flag_clear_explicit(&lock, memory_order_release);
}

// The least class with room for `size` bytes, and its size: 2^n times 1, 1.25, 1.5 or 1.75, a multiple of 16 from 64 on.
static uint32_t class_of(size_t size, size_t *class_size) {
  if (size <= 64) {
    const size_t steps = size <= ALIGNMENT ? 1 : (size + ALIGNMENT - 1) / ALIGNMENT;
    *class_size = steps * ALIGNMENT;
    return (uint32_t)steps - 1;
  }
  const uint32_t log = 63 - (uint32_t)__builtin_clzll(size - 1);
  const size_t step = (size_t)1 << (log - 2);
  const size_t steps = (size - 1) / step + 1;
  *class_size = steps * step;
  // `steps` is 5 to 8.
  return 4 * (log - 5) + (uint32_t)steps - 5;
}

static char *new_block(size_t bytes) {
  if (part_rest < bytes) {
    const size_t part_bytes = bytes > PART_BYTES ? bytes : PART_BYTES;
    void *const memory = mmap(NULL, part_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    part = memory;
    part_rest = part_bytes;
  }
  char *const block = part;
  part += bytes;
  part_rest -= bytes;
  return block;
}

static void *allocate(size_t size, size_t alignment) {
  const size_t extra = alignment > ALIGNMENT ? alignment : 0;
  if (size > PTRDIFF_MAX - extra - sizeof(header)) {
    errno = ENOMEM;
    return NULL;
  }
  size_t class_size;
  const uint32_t class = class_of(size + extra, &class_size);
  take_lock();
  allocations++;
  free_block *block = free_blocks[class];
  if (block != NULL) {
    free_blocks[class] = block->next;
  } else {
    char *const memory = new_block(sizeof(header) + class_size);
    block = memory == NULL ? NULL : (free_block *)(memory + sizeof(header));
  }
  release_lock();
  if (block == NULL) {
    errno = ENOMEM;
    return NULL;
  }
  const uintptr_t start = (uintptr_t)block;
  const uintptr_t aligned = extra == 0 ? start : (start + extra - 1) & ~(uintptr_t)(extra - 1);
  header *const before = (header *)aligned - 1;
  // Where it begins is chance; how much is to be had of it must not be.
  before->room = class_size - extra;
  before->class = class;
  before->offset = (uint32_t)(aligned - start);
  return (void *)aligned;
}

void *malloc(size_t size) {
  return allocate(size, ALIGNMENT);
}

void free(void *memory) {
  if (memory == NULL) return;
  const header *const before = (const header *)memory - 1;
  const uint32_t class = before->class;
  free_block *const block = (free_block *)((char *)memory - before->offset);
  take_lock();
  block->next = free_blocks[class];
  free_blocks[class] = block;
  release_lock();
}

size_t malloc_usable_size(void *memory) {
  return memory == NULL ? 0 : ((const header *)memory - 1)->room;
}

void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  void *const memory = allocate(bytes, ALIGNMENT);
  return memory == NULL ? NULL : memset(memory, 0, bytes);
}

void *realloc(void *old, size_t size) {
  if (old != NULL && size == 0) {
    free(old);
    return NULL;
  }
  void *const new = allocate(size, ALIGNMENT);
  if (new == NULL || old == NULL) return new;
  const size_t room = malloc_usable_size(old);
  memcpy(new, old, room < size ? room : size);
  free(old);
  return new;
}

void *reallocarray(void *old, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(old, bytes);
}

static bool is_power_of_two(size_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

void *memalign(size_t alignment, size_t size) {
  if (!is_power_of_two(alignment) || alignment > UINT32_MAX) {
    errno = EINVAL;
    return NULL;
  }
  return allocate(size, alignment);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (!is_power_of_two(alignment) || alignment % sizeof(void *) != 0 || alignment > UINT32_MAX) return EINVAL;
  const int before = errno;
  void *const new = allocate(size, alignment);
  errno = before;
  if (new == NULL) return ENOMEM;
  *memory = new;
  return 0;
}

enum { PAGE_BYTES = 4096 };

void *valloc(size_t size) {
  return allocate(size, PAGE_BYTES);
}

void *pvalloc(size_t size) {
  size_t bytes;
  if (__builtin_add_overflow(size, (size_t)PAGE_BYTES - 1, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return allocate(bytes & ~(size_t)(PAGE_BYTES - 1), PAGE_BYTES);
}

size_t ccountedheap_allocations(void) {
  take_lock();
  const size_t count = allocations;
  release_lock();
  return count;
}

#else

size_t ccountedheap_allocations(void) {
  return 0;
}

#endif
