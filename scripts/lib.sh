# Shared by the scripts beside it; sourced, not run. The caller has set -euo pipefail.

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

BUILD_PACKAGES=(
    cmake
    fontconfig
    fonts-dejavu-core
    g++
    gcc
    libbrotli-dev
    libcmark-dev
    libcmocka-dev
    libctemplate-dev
    libcurl4-openssl-dev
    libjansson-dev
    libmd-dev
    libmicrohttpd-dev
    librsvg2-bin
    libseccomp-dev
    libsqlite3-dev
    libxxhash-dev
    libzstd-dev
    ninja-build
    pkg-config
    pngquant
    sqlite3
    zlib1g-dev
)
TEST_PACKAGES=(
    chromium
    clang-19
    clang-format-19
    clang-tidy-19
    git
    libclang-rt-19-dev
    mandoc
    openssh-client
    zsh
)
CONTAINER_PACKAGES=(
    buildah
    mmdebstrap
    podman
    runc
)

SCALE_PACKAGES=(
    haproxy
    libnginx-mod-http-brotli-static
    nginx
    openssl
    varnish
    varnish-modules
)

say() {
    printf '==> %s\n' "$*"
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

# Installs those of the named packages that are missing; without any, it costs one dpkg-query.
need_packages() {
    local name missing=()
    for name in "$@"; do
        if ! dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed; then
            missing+=("$name")
        fi
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    say "installing ${missing[*]}"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# Node comes from Debian unless there is one already.
need_node() {
    command -v node >/dev/null || need_packages nodejs
    command -v npm >/dev/null || need_packages npm
}

# Installs the test dependencies of tests/package-lock.json, if they are not those already.
need_node_modules() {
    local stamp=$TOP/tests/node_modules/.package-lock.json
    if [ ! -e "$stamp" ] || [ "$TOP/tests/package-lock.json" -nt "$stamp" ]; then
        say "installing the node packages of the tests"
        (cd "$TOP/tests" && npm ci --silent --ignore-scripts && touch node_modules/.package-lock.json)
    fi
}

# build PRESET DIRECTORY [OPTION...]: configures once, then builds what changed.
build() {
    local preset=$1 directory=$TOP/$2 launchers=()
    shift 2
    if command -v ccache >/dev/null; then
        launchers=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    fi
    if [ ! -e "$directory/build.ninja" ]; then
        (cd "$TOP" && cmake --preset "$preset" "${launchers[@]}" >/dev/null)
    fi
    cmake --build "$directory" "$@"
}
