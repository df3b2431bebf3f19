# cron/build.sh: what cron/demo and tests/run share: packages and the build. Sourced by bash, with
# `checkout` set to the folder of the sources.
#
# Nothing is written into the checkout, so that one that is read-only or belongs to somebody else
# will do.

build_packages=(cmake gcc libc6-dev make pkg-config libcjson-dev libcsv-dev libecpg-dev libexpat1-dev libgmp-dev libpq-dev libssl-dev libxlsxwriter-dev
    libxxhash-dev libzip-dev postgresql zlib1g-dev)

# Where generated files go: KSTAR_CACHE_DIR, else a place by user.
cache_folder() {
    if [ -n "${KSTAR_CACHE_DIR:-}" ]; then
        realpath -m -- "$KSTAR_CACHE_DIR"
    elif [ "$(id -u)" = 0 ]; then
        echo /var/cache/kstar
    else
        echo "${XDG_CACHE_HOME:-$HOME/.cache}/kstar"
    fi
}

# install_missing PACKAGE…: installs what is not there; silent, and in no need of root, when all of
# it is.
install_missing() {
    local package missing=() as_root=()
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "installing: ${missing[*]}"
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "error: packages are missing: run this as root, or install them: ${missing[*]}" >&2
            return 1
        fi
        as_root=(sudo)
    fi
    if ! "${as_root[@]}" bash "$checkout/cron/install_packages" "${missing[@]}" >"$log" 2>&1 </dev/null; then
        tail -n 20 "$log" >&2
        echo "error: packages could not be installed; all of it: $log" >&2
        return 1
    fi
}

# build_kstar NAME CMAKE-OPTION…: configures and builds in a folder of its own; leaves its path in
# `build`.
build_kstar() {
    local name=$1
    shift
    build=$(cache_folder)/$name-$(printf %s "$checkout" | cksum | cut -d' ' -f1)
    echo "building in $build"
    if ! { cmake -S "$checkout" -B "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo "$@" &&
        cmake --build "$build" -j "$(nproc)"; } >"$log" 2>&1 </dev/null; then
        grep -E -A 3 'error:|CMake Error|undefined reference' "$log" >&2 || tail -n 20 "$log" >&2
        echo "error: the build failed; all of it: $log" >&2
        return 1
    fi
}

umask 022
mkdir -p "$(cache_folder)"
log=$(cache_folder)/last-step.log # of the step under way: packages or build
