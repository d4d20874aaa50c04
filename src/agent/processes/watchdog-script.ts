/**
 * Reads lines until its input ends, which means that Pith has ended. Then it ends the groups and the mount namespaces of the last
 * line, and all processes with the mark of its first argument in their environment (only Linux shows that).
 */
export const WATCHDOG_SCRIPT = `
last=
while read -r line; do last=$line; done
[ "$last" = leave ] && exit 0
marked() { grep -ls -- "$1" /proc/[0-9]*/environ 2>/dev/null | cut -d / -f 3; }
inside() { ls -l /proc/[0-9]*/ns/mnt 2>/dev/null | grep -F "mnt:[$1]" | sed 's|.*/proc/\\([0-9]*\\)/ns/.*|\\1|'; }
end() {
  for word in $last; do
    case $word in
      g*) kill -s "$1" -- "-\${word#g}" 2>/dev/null ;;
      m*) for pid in $(inside "\${word#m}"); do kill -s "$1" -- "$pid" 2>/dev/null; done ;;
    esac
  done
  for pid in $(marked "$2"); do kill -s "$1" -- "$pid" 2>/dev/null; done
}
end TERM "$1"
sleep 0.5
end KILL "$1"
# What was started in between.
sleep 0.1
end KILL "$1"
`
