# tests/packages.sh: what the tests need beside what the build needs. Sourced by tests/run and the
# commands beside it.
test_packages=(chromium dpkg-dev faketime file libcmocka-dev libreoffice-calc-nogui locales mandoc openssl poppler-utils python3 python3-openpyxl strace)
