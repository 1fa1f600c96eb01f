// The lanes' source with more lanes than the instruction set's registers have, so that wide vectors are tested on
// machines that lack them.
#define KERNEL_NAME wide
#define VECTOR_BYTES 64
#define VECTORS 2
#define WITHOUT_ORDER
#if defined(__AVX2__)
  #define KERNEL_FEATURES COTP_FEATURE_AVX2
#else
  #define KERNEL_FEATURES 0
#endif
#include "lanes.h"
