// Lanes without any feature: SSE2 on x86-64, NEON on aarch64, whatever the compiler makes of vectors elsewhere.
#define KERNEL_NAME portable
#define KERNEL_FEATURES 0
#define VECTOR_BYTES 16
#define VECTORS 1
#include "lanes.h"
