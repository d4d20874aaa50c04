import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The text in the files that must not be read. */
export const SECRET = 'hunter2'

const FILES: Readonly<Record<string, string>> = {
  'sub/a.txt': 'hello\n',
  'empty/z': 'z\n',
  'empty2/.env': '',
  'other/db/q': 'q\n',
  'db/x': 'x\n',
  'db/y': 'y\n',
  opts: '.env\n',
}
const SECRETS = ['.env', 'sec/.env']
const LINKS: readonly (readonly [string, string])[] = [
  ['.env', 'link'],
  ['../.env', 'sub/l'],
  ['sub', 'dirlink'],
  ['../../shop', 'deep/shop'],
  ['db', 'dblink'],
  ['db/x', 'dbx'],
  ['db/none', 'dangling'],
  ['../db', 'deepdb/db'],
  ['../outside', 'out'],
]

/** A repository with two commits and a branch `evil`, with links to its files and folders. */
export function openWorkspace(): { readonly root: string; readonly workspace: string; readonly close: () => void } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pith-links-')))
  const workspace = join(root, 'shop')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), text)
  }
  const commit = () => {
    git('add', '-f', '-A')
    git('commit', '-q', '-m', 'x')
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace, stdio: 'ignore' })
  for (const [path, text] of Object.entries(FILES)) write(path, text)
  write('../outside/keep', 'keep\n')
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'a')
  git('config', 'user.email', 'a@b.c')
  commit()
  for (const path of SECRETS) write(path, `${SECRET}  \n`)
  commit()
  git('checkout', '-q', '-b', 'evil')
  write('db/x', 'evil\n')
  symlinkSync('.env', join(workspace, 'later'))
  commit()
  git('checkout', '-q', 'main')
  for (const [target, path] of LINKS) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    symlinkSync(target, join(workspace, path))
  }
  return { root, workspace, close: () => rmSync(root, { recursive: true, force: true }) }
}

/** `strings` may not be installed. */
export const UNTRIED_READS: readonly string[] = ['strings @opts', 'strings sub/*']

/** Ways to read `.env` or `sec/.env` that only the files on the disk, or git's history, show. */
export const READS_ON_DISK: readonly string[] = [
  ...[
    'cat link',
    'cat lin*',
    'cat l?nk',
    'cat sub/*',
    'cat sub/l*',
    'cat s*/l',
    'head sub/*',
    'grep h sub/*',
    'sort sub/?',
  ],
  ...['cat s*/../.env', 'cat deep/shop/.env', 'cat d*/shop/.env', 'cd deep/shop && cat .env', 'cd dirlink && cat l'],
  ...[
    'grep -R h sub',
    'grep -R h deep',
    'grep -r h sub/l',
    'grep -r h deep/shop/',
    'egrep -Rh h sub',
    'sed -n p sub/*',
  ],
  ...[
    'diff -rN sub empty',
    'diff -N sub empty',
    'diff -N . empty',
    'diff . empty2',
    'diff . empty2/.env',
    'diff -y empty2 .',
  ],
  ...['cp -r sub y && cat y/l', 'cp -a sub y; cat y/l', 'mv sub y && cat y/l', 'cp sub/l y; cat y', 'mv link y; cat y'],
  ...['cp -r deep z; cat z/shop/.env', 'mv deep z && cat z/shop/.env', 'git checkout -q evil && cat later'],
  ...['git show --stat -wp', 'git show --stat -bU2', 'git diff --numstat -wp HEAD~1'],
  ...[
    'git diff --stat --check HEAD~1',
    'git show --stat --check',
    'git mv sec z && cat z/.env',
    'git -C . mv sec z; cat z/.env',
  ],
  ...[
    'cd sub && git show HEAD:.env',
    'cd sub && git show :.env',
    'cd sub && git show',
    'cd sub && git diff HEAD~1',
    'cd sub && git log -p',
  ],
  ...[
    "cd sub && git grep hunter ':(top)'",
    "cd sub && git diff HEAD~1 -- ':(top).env'",
    'cd sub && git grep hunter -- :/.env',
  ],
  ...[
    'git -C sub show HEAD:.env',
    'git -C sub show',
    'git -C sub diff HEAD~1',
    'git -C sub log -p',
    "git -C sub grep hunter ':(top)'",
  ],
  ...[
    'cd .git && git show HEAD:.env',
    'git -C .git show HEAD',
    'cd sub; git show main:.env',
    'cd sub && git blame ../.env',
  ],
]

/** Ways to change something in `db`. */
export const EDITS_ON_DISK: readonly string[] = [
  ...[
    'cat sub/a.txt > dblink/x',
    'cat sub/a.txt > dbx',
    'tee dblink/new < sub/a.txt',
    'tee dblin?/x < sub/a.txt',
    'tee db? < sub/a.txt',
  ],
  ...[
    'touch dblink/new',
    'touch dangling',
    'mkdir dblink/new',
    'mkdir -p deepdb/db/a/b',
    'rm dblink/x',
    'rm dblin*/x',
    'rm deepdb/db/x',
  ],
  ...[
    'cd dblink && touch z',
    'cd deepdb && touch db/q',
    'cp sub/a.txt dblink',
    'cp sub/a.txt dblin?',
    'mv sub/a.txt dblink/',
  ],
  ...[
    'cp -r other/db .',
    'cp -r other/. .',
    'cd other && cp -r db ..',
    'cp -r o*/db .',
    'cp sub/a.txt db',
    'mv other/db/q db',
  ],
  ...["sed -i 's/.*/q/' dblink/x", "sed -i 's/.*/q/' dbl*/x", 'uniq db/*', 'uniq d?/*', 'uniq sub/a.txt dbx'],
  ...[
    'cd sub && git checkout -q evil',
    "cd sub && git checkout evil -- ':(top)'",
    'cd sub && git switch evil',
    'cd sub && git reset --hard evil',
  ],
  ...[
    'cd sub && git merge evil',
    "cd sub && git rm -r ':(top)db'",
    'git -C sub checkout evil',
    'git -C sub reset --hard evil',
    'git -C sub merge evil',
  ],
  ...[
    'git mv db old',
    'git mv sub/a.txt db',
    'cp -a dblink y && touch y/q',
    'mv dblink y && touch y/q',
    'cp -a deepdb y && touch y/db/q',
  ],
]

/** Ways to change a file outside of the workspace without naming a path outside. */
export const EDITS_OUTSIDE: readonly string[] = ['cat /dev/null > out/keep', 'ls > out/keep', 'cd out && pwd > keep']
