# cmake --install, and cpack -G DEB for a Debian package of the release that it is built on.
include(GNUInstallDirs)
find_program(GZIP gzip REQUIRED)

set(PACKAGE_FOLDER ${PROJECT_BINARY_DIR}/package)
file(MAKE_DIRECTORY ${PACKAGE_FOLDER})

# Compressed as Debian wants it: the same bytes every time.
function(compress source name)
    execute_process(COMMAND ${GZIP} -9nc ${source} OUTPUT_FILE ${PACKAGE_FOLDER}/${name} COMMAND_ERROR_IS_FATAL ANY)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
endfunction()

compress(${PROJECT_SOURCE_DIR}/docs/agent-sandboxes.1 agent-sandboxes.1.gz)
compress(${PROJECT_SOURCE_DIR}/CHANGELOG.md CHANGELOG.md.gz)
# A package without a Debian revision has one changelog, in Debian's form.
configure_file(packaging/debian/changelog.in ${PACKAGE_FOLDER}/changelog @ONLY)
compress(${PACKAGE_FOLDER}/changelog changelog.gz)

install(TARGETS agent-sandboxes RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${PACKAGE_FOLDER}/agent-sandboxes.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PACKAGE_FOLDER}/changelog.gz ${PACKAGE_FOLDER}/CHANGELOG.md.gz README.md LICENSE-DATA DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES packaging/debian/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES scripts/completions/agent-sandboxes.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME agent-sandboxes)
install(FILES scripts/completions/_agent-sandboxes DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
# The unit names the program where it is installed, which is known no earlier.
install(CODE "set(UNIT ${PROJECT_SOURCE_DIR}/packaging/agent-sandboxes.service)\nset(MADE ${PACKAGE_FOLDER}/agent-sandboxes.service)")
install(CODE [[
    file(READ ${UNIT} text)
    string(REPLACE /usr/bin/agent-sandboxes ${CMAKE_INSTALL_PREFIX}/bin/agent-sandboxes text "${text}")
    file(WRITE ${MADE} "${text}")
    file(INSTALL ${MADE} DESTINATION ${CMAKE_INSTALL_PREFIX}/lib/systemd/system)
]])
install(FILES packaging/debian/default DESTINATION /etc/default RENAME agent-sandboxes)

set(CPACK_GENERATOR DEB)
set(CPACK_SET_DESTDIR ON) # one file goes to /etc
set(CPACK_PACKAGE_NAME agent-sandboxes)
set(CPACK_PACKAGE_VENDOR "Agent Sandboxes")
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "Agent Sandboxes maintainers <${MAINTAINER_ADDRESS}>")
set(CPACK_DEBIAN_PACKAGE_SECTION web)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Both are found when they are used: by `sources check`, and by `verify` and `build`.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libcurl4t64 | libcurl4, openssh-client")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "source-cited comparison of AI agent sandboxes")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"An independent comparison of the isolated environments in which AI agents run
code, served to people as a site and to programs as JSON, CSV and Markdown.
Every value carries its source, the day it was checked and how it is known.

The catalogue is built into the program; its commands keep a catalogue
current, check it and export it.")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
    ${PROJECT_SOURCE_DIR}/packaging/debian/conffiles
    ${PROJECT_SOURCE_DIR}/packaging/debian/postinst
    ${PROJECT_SOURCE_DIR}/packaging/debian/prerm
    ${PROJECT_SOURCE_DIR}/packaging/debian/postrm)
include(CPack)
