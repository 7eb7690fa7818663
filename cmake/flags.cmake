# Warnings, hardening, sanitizers and coverage: the interface target `flags` carries them to every target of ours.
include(CheckPIESupported)
check_pie_supported()

add_library(flags INTERFACE)
# Quoted includes only: with -I our limits.h and error.h would stand in front of the system's <limits.h> and <error.h>.
target_compile_options(flags INTERFACE "SHELL:-iquote ${PROJECT_SOURCE_DIR}/include")
target_compile_definitions(flags INTERFACE _GNU_SOURCE)
target_compile_options(flags INTERFACE
    -Wall -Wextra -Werror -Wshadow -Wformat=2 -Wconversion -Wvla
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
    $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
    # Named limits are enumerators here, and some stand beside a double.
    $<$<C_COMPILER_ID:Clang>:-Wno-enum-float-conversion>
    -fno-common
    # No path of the building machine in messages or debug information.
    -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)

# Distributions' compilers may set _FORTIFY_SOURCE themselves, hence the -U. It means nothing without optimisation, and sanitizers replace it.
if(SANITIZER STREQUAL "none" AND NOT COVERAGE AND NOT FUZZ)
    target_compile_options(flags INTERFACE
        -fstack-protector-strong -fstack-clash-protection
        $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
        $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
    target_link_options(flags INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,--as-needed)
elseif(SANITIZER STREQUAL "address")
    target_compile_options(flags INTERFACE
        -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(flags INTERFACE -fsanitize=address,undefined)
elseif(SANITIZER STREQUAL "thread")
    target_compile_options(flags INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
    target_link_options(flags INTERFACE -fsanitize=thread)
elseif(NOT SANITIZER STREQUAL "none")
    message(FATAL_ERROR "SANITIZER is \"${SANITIZER}\", but must be address, thread or none")
endif()

# Sanitizers and coverage open files and make calls that confinement forbids.
if(NOT SANITIZER STREQUAL "none" OR COVERAGE)
    target_compile_definitions(flags INTERFACE CONFINE_LEFT_OUT)
endif()

if(COVERAGE)
    target_compile_options(flags INTERFACE --coverage -fprofile-abs-path -fprofile-update=atomic)
    target_link_options(flags INTERFACE --coverage)
endif()

if(FUZZ)
    if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
        message(FATAL_ERROR "FUZZ needs clang: configure with the preset `fuzz`")
    endif()
    target_compile_options(flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
