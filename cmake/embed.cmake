# Compiles files into a library by the assembler's .incbin, which gcc and clang both understand.
#
#   embed_folder(<library> <function> <folder>)   a table of every file below folder; names are relative to it
#   embed_made(<library> <function> <folder> <stamp>)  the same of a folder that the build fills, and then writes the stamp
#   embed_file(<library> <function> <file>)       one file, which may be made by the build
#
# The generated source is written anew whenever an embedded file changes; a new or removed file configures again.
set(EMBED_WRITER ${CMAKE_CURRENT_LIST_DIR}/embed_write.cmake)

function(embed_source library function files)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${function}.c)
    add_custom_command(OUTPUT ${source}
        COMMAND ${CMAKE_COMMAND} -DFUNCTION=${function} -DOUTPUT=${source} ${ARGN} -P ${EMBED_WRITER}
        DEPENDS ${files} ${EMBED_WRITER}
        COMMENT "Embedding ${function}"
        VERBATIM)
    set_source_files_properties(${source} PROPERTIES SKIP_LINTING ON)
    target_sources(${library} PRIVATE ${source})
endfunction()

function(embed_folder library function folder)
    file(GLOB_RECURSE names RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/*)
    list(SORT names COMPARE STRING)
    list(TRANSFORM names PREPEND ${folder}/ OUTPUT_VARIABLE files)
    # The names are part of the command, so that it runs again when the set of files changes.
    # A semicolon would split the command's argument, so another sign stands between them.
    string(REPLACE ";" "|" names "${names}")
    embed_source(${library} ${function} "${files}" -DTABLE=ON -DFOLDER=${folder} "-DNAMES=${names}")
endfunction()

function(embed_made library function folder stamp)
    embed_source(${library} ${function} ${stamp} -DTABLE=ON -DFOLDER=${folder} -DNAMES=*)
endfunction()

function(embed_file library function file)
    get_filename_component(folder ${file} DIRECTORY)
    get_filename_component(name ${file} NAME)
    embed_source(${library} ${function} ${file} -DTABLE=OFF -DFOLDER=${folder} -DNAMES=${name})
endfunction()
