# The libraries, found once; targets of ours link the interface target `libraries`.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(LIBS REQUIRED IMPORTED_TARGET
    jansson
    libbrotlienc
    libcmark
    libctemplate
    libmd
    libmicrohttpd>=0.9.75
    libseccomp>=2.5
    libxxhash
    libzstd
    sqlite3>=3.40
    zlib)

add_library(libraries INTERFACE)
target_link_libraries(libraries INTERFACE PkgConfig::LIBS Threads::Threads m)

if(SOURCES_CHECK)
    # Its headers only: src/fetch/libcurl.c loads the library where it is used.
    pkg_check_modules(CURL REQUIRED libcurl>=7.88)
    target_include_directories(libraries SYSTEM INTERFACE ${CURL_INCLUDE_DIRS})
    target_link_libraries(libraries INTERFACE ${CMAKE_DL_LIBS})
endif()
