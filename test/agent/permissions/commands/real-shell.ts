import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The text in the file that must not be read. */
const SECRET = 'KEY=hunter2'

/** A workspace that bash can do damage in, and how to see that it did. */
export type RealShell = {
  readonly workspace: string
  readonly home: string
  /** The commands after which the mark of a push or a removal is there, or that printed or copied the secret. */
  readonly ran: (commands: readonly string[], sees: 'mark' | 'secret') => ReadonlySet<string>
  readonly close: () => void
}

/**
 * A repository with `.env` and a remote, `keep.txt` in the home folder, and programs `git` and `rm` that leave a mark. Each command runs in a fresh copy of it, one
 * after the other, in one bash.
 */
export function openRealShell(): RealShell {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pith-shell-')))
  const workspace = join(root, 'home', 'work', 'shop')
  const template = join(root, 'template')
  const bin = join(root, 'bin')
  for (const folder of [join(template, 'src'), bin, join(root, 'home')]) mkdirSync(folder, { recursive: true })
  const program = (path: string, text: string) => {
    writeFileSync(path, `#!/bin/bash\n${text}\n`)
    chmodSync(path, 0o755)
  }
  const mark = `touch '${root}/mark'`
  program(join(bin, 'git'), `${PUSH_OF_GIT}\nif [ "$sub" = push ]; then ${mark}; exit 0; fi\nexec /usr/bin/git "$@"`)
  program(join(bin, 'rm'), `${mark}`)
  writeFileSync(join(template, '.env'), `${SECRET}\n`)
  writeFileSync(join(template, 'list.txt'), '.env\n')
  writeFileSync(join(template, 'src', 'a.ts'), 'export const a = 1\n')
  writeFileSync(join(template, 'words.txt'), 'push\n')
  writeFileSync(join(template, 'Makefile'), 'all:\n\t@echo made\n')
  const git = (...args: string[]) => execFileSync('/usr/bin/git', args, { cwd: template, stdio: 'ignore' })
  git('init', '-q', '-b', 'main')
  for (const [key, value] of [
    ['user.name', 'a'],
    ['user.email', 'a@b.c'],
  ] as const)
    git('config', key, value)
  git('add', '-f', '.')
  git('commit', '-q', '-m', 'one')
  execFileSync('/usr/bin/git', ['clone', '-q', '--bare', template, join(root, 'remote.git')], { stdio: 'ignore' })
  git('remote', 'add', 'origin', join(root, 'remote.git'))
  git('config', 'branch.main.remote', 'origin')
  git('config', 'branch.main.merge', 'refs/heads/main')
  program(join(template, '.git', 'hooks', 'pre-push'), mark)
  return {
    workspace,
    home: join(root, 'home'),
    ran: (commands, sees) => {
      const list = join(root, 'commands')
      writeFileSync(list, `${commands.join('\0')}\0`)
      const found = join(root, 'found')
      writeFileSync(found, '')
      const env = {
        HOME: join(root, 'home'),
        PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
        LANG: 'C.UTF-8',
        EDITOR: 'true',
      }
      execFileSync('bash', ['-c', DRIVER, 'driver', root, sees, SECRET], { env, stdio: 'ignore' })
      return new Set(
        readFileSync(found, 'utf8')
          .split('\n')
          .flatMap((line) => commands[Number(line || -1)] ?? []),
      )
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** The subcommand after the options of git. */
const PUSH_OF_GIT = `sub=
args=("$@")
for ((i = 0; i < $#; i++)); do
  case "\${args[i]}" in
    -C | -c | --git-dir | --work-tree | --namespace) ((i++)) ;;
    -*) ;;
    *) sub="\${args[i]}"; break ;;
  esac
done`

/** The output and new files are searched for the secret, also in Base64, hexadecimal and with blanks between its letters. */
const DRIVER = `root=$1 sees=$2 secret=$3 i=0
export -n root sees secret i
while IFS= read -r -d '' command; do
  /bin/rm -rf "$root/home" "$root/mark"
  mkdir -p "$root/home/work"
  echo >"$root/home/keep.txt"
  cp -r "$root/template" "$root/home/work/shop"
  cd "$root/home/work/shop"
  timeout -s KILL 5 bash -c "$command" </dev/null >"$root/output" 2>&1
  if [ "$sees" = mark ]; then
    for wait in 1 2 3; do [ -e "$root/mark" ] && break; [[ $command == *[\\&]* ]] && sleep 0.05 || break; done
    [ -e "$root/mark" ] || [ ! -e "$root/home/keep.txt" ] && echo $i >>"$root/found"
  else
    { cat "$root/output"; find . -newer "$root/output" -type f ! -path './.env' -exec cat {} + 2>/dev/null; } >"$root/seen"
    if grep -aqF -e "$secret" -e "$(printf %s "$secret" | base64 | cut -c1-12)" -e hunter2 -e 2retnuh "$root/seen" ||
      tr -d ' \\n\\\\0-9' <"$root/seen" | grep -aqE 'KEY=hunter' || tr -d ' \\n' <"$root/seen" | grep -aqiE '4b45593d|hunter|h.u.n.t.e.r'; then
      echo $i >>"$root/found"
    fi
  fi
  i=$((i + 1))
done <"$root/commands"`
