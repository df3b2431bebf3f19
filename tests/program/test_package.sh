# The Debian package: made, and looked into. tests/install/clean_root tries it on a root of its own,
# by hand.
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"
for program in cpack dpkg-deb dpkg-shlibdeps file; do
    command -v "$program" >/dev/null || skip "needs $program (packages cmake, dpkg-dev, file)"
done
# The build is there: with a generator that has no such step, cpack does not look through all of it
# once more, which takes as long as making the package.
(cd "$KSTAR_BUILD" && cpack -G DEB -D CPACK_CMAKE_GENERATOR=Ninja -B "$WORK/made") >"$WORK/cpack.log" 2>&1 || fail "$(tail -n 5 "$WORK/cpack.log")"
package=$(ls "$WORK"/made/*.deb)
root=$WORK/root
dpkg-deb -R "$package" "$root"
list=$(dpkg-deb -c "$package")
field() { dpkg-deb -f "$package" "$1"; }

it "is named after program, version and architecture"
equals "kstar_$(kstar --version | cut -d' ' -f2)_$(dpkg --print-architecture).deb" "${package##*/}"

it "depends on the libraries that the program is linked with"
for library in libc6 libpq5 libxlsxwriter libcjson1 libcsv3 zlib1g libssl3 libexpat1 libxxhash0 libzip4; do
    contains ", $(field Depends)" ", $library"
done
contains "$(field Depends)" adduser
oldest=$(grep -oP "DATABASE_OLDEST_SERVER = \K\d+" "$KSTAR_SOURCE_DIR/base/postgres/database.h")
contains "$(field Recommends)" "postgresql (>= $oldest)"

it "holds program, scripts, units, completions, pages and documents"
for file in usr/bin/kstar usr/libexec/kstar/{nightly,deliver} usr/lib/systemd/system/kstar-{nightly,deliver}.{service,timer} etc/kstar/kstar.conf \
    etc/cron.d/kstar etc/logrotate.d/kstar usr/share/bash-completion/completions/kstar usr/share/zsh/vendor-completions/_kstar \
    usr/share/man/man1/kstar{,-nightly}.1.gz usr/share/man/man5/kstar.conf.5.gz usr/share/doc/kstar/{copyright,changelog.gz,operations.md}; do
    [ -f "$root/$file" ] || fail "no $file"
done
equals "$(cd "$KSTAR_SOURCE_DIR/docs" && ls ./*.md)" "$(cd "$root/usr/share/doc/kstar" && ls ./*.md | grep -v README)"

it "belongs to root, and nobody else may write to it"
equals "" "$(grep -v ' root/root ' <<<"$list" || true)"
equals "" "$(awk '$1 ~ /^.....w|^........w|s/' <<<"$list")"
equals "755 755 644 644" "$(cd "$root" && stat -c %a usr/bin/kstar usr/libexec/kstar/nightly etc/kstar/kstar.conf etc/cron.d/kstar | xargs)"

it "marks everything below /etc as the site's to change"
equals "$(cd "$root" && find etc -type f -printf '/%p\n' | sort)" "$(<"$root/DEBIAN/conffiles")"

it "names no place but the system's own"
equals "" "$(grep -rnE "@KSTAR|/usr/local/(libexec|etc)|$KSTAR_BUILD|$KSTAR_SOURCE_DIR" "$root/etc" "$root/usr/lib" "$root/usr/libexec" || true)"
contains "$(<"$root/etc/cron.d/kstar")" "KSTAR_CONF=/etc/kstar/kstar.conf"
contains "$(<"$root/usr/lib/systemd/system/kstar-nightly.service")" "ExecStart=/usr/libexec/kstar/nightly"

it "removes no data: its scripts delete nothing below /var"
for script in postinst prerm postrm; do
    sh -n "$root/DEBIAN/$script"
    equals "" "$(grep -nE 'rm .*(/var|\$folder|\$data)|deluser|userdel' "$root/DEBIAN/$script" || true)"
done

it "stops at its removal the server of the folder that the configuration names, however a night may read it"
mkdir -p "$WORK/stubs" "$WORK/data/postgresql" "$WORK/our data/postgresql"
sed "s|/etc/kstar/kstar.conf|$WORK/kstar.conf|g" "$root/DEBIAN/prerm" >"$WORK/prerm"
# Root's own commands are not to be had here: they say what they were asked, or pass it on.
printf '#!/bin/sh\n' | tee "$WORK/stubs/getent" "$WORK/stubs/deb-systemd-invoke" >/dev/null
printf '#!/bin/bash\nwhile [[ $1 == --* ]]; do [[ $1 != --re[ug]id ]] || shift; shift; done\nexec "$@"\n' >"$WORK/stubs/setpriv"
printf '#!/bin/sh\necho "$*" >"%s"\n' "$WORK/stopped" >"$WORK/stubs/kstar"
chmod 755 "$WORK"/stubs/*
for written in "$WORK/data" "'$WORK/data'" "\"$WORK/data\"" "$WORK/data  " "$WORK/data # ours" "'$WORK/data' # ours" "'$WORK/our data'"; do
    folder=${written//[\"\']/} folder=${folder% # ours} folder=${folder%  }
    printf 'KSTAR_DATA_DIR=/nowhere\nKSTAR_NIGHTLY_OPTIONS="--on-alert mail"\nKSTAR_DATA_DIR=%s\n' "$written" >"$WORK/kstar.conf"
    rm -f "$WORK/stopped"
    PATH=$WORK/stubs:$PATH sh "$WORK/prerm" remove
    equals "db stop --force --data-dir $folder" "$(cat "$WORK/stopped" 2>&1)"
    rm -f "$WORK/stopped"
    PATH=$WORK/stubs:$PATH sh "$WORK/prerm" upgrade 0.9
    [ ! -e "$WORK/stopped" ] || fail "an upgrade ends nights"
done

it "has nothing that lintian calls an error"
if command -v lintian >/dev/null && [[ $KSTAR_BUILD_TYPE == Rel* ]]; then
    lintian --fail-on error "$package" >"$WORK/lintian" 2>&1 || fail "$(<"$WORK/lintian")"
    cat "$WORK/lintian"
fi
