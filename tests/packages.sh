# tests/packages.sh: what the tests need beside what the build needs, and where their databases lie.
# Sourced by tests/run and the commands beside it.
test_packages=(chromium dpkg-dev faketime file libcmocka-dev libreoffice-calc-nogui locales mandoc openssl poppler-utils python3 python3-openpyxl strace)

# The databases of tests lie in memory where there is enough of it for three tests and programs may
# be run from there: a disk takes up to twice as long.
room_in_memory() {
    [ -d /dev/shm ] && [ "$(df --output=avail -k /dev/shm | tail -n 1)" -ge 8000000 ] && ! findmnt -no OPTIONS /dev/shm | grep -qw noexec &&
        [ "$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)" -ge 12000000 ]
}
if [ -z "${TMPDIR:-}" ] && room_in_memory; then
    export TMPDIR=/dev/shm
fi
