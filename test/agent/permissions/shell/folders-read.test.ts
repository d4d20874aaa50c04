import { describe, expect, it } from 'vitest'
import { foldersRead, hasForbidden } from '../../../../src/agent/permissions/shell/folders-read.ts'
import { readScript } from '../../../../src/agent/permissions/shell/read-script.ts'
import { literal, type TextShape } from '../../../../src/agent/permissions/shell/text-shape.ts'

const shown = (shape: TextShape) => shape.map((part) => ('text' in part ? part.text : `<${part.hole}>`)).join('')

/** The paths that a command reads or changes below folders. */
function below(command: string, kind: 'read' | 'edit' = 'read'): string[] {
  const { runs } = readScript(command, { workspace: '/work', home: '/home/me' })
  return runs.flatMap((run) => foldersRead(run, kind).map(({ path }) => shown(path)))
}

const ALL = '/work/<any>'
const SRC = '/work/src/<any>'

describe('a search', () => {
  it.each<[string, ...string[]]>([
    ['grep x'],
    ['grep x src'],
    ['grep -r x', ALL],
    ['grep -R x .', ALL],
    ['grep -rn x src', SRC],
    ['grep -nr x src lib', SRC, '/work/lib/<any>'],
    ['grep --recursive x src', SRC],
    ['grep --dereference-recursive x src', SRC],
    ['grep --recursively x src'],
    ['egrep -r x src', SRC],
    ['fgrep -r x src', SRC],
    ['grep -r -e x', ALL],
    ['grep -r -e x src', SRC],
    ['grep -re x', ALL],
    ['grep -r --regexp=x src', SRC],
    ['grep -r --file=x src', SRC],
    ['grep -r -f x src', SRC],
    ['grep -r -A 3 x', ALL],
    ['grep -r -B 3 -C 3 -m 1 x src', SRC],
    ['grep -r --max-count 1 x src', SRC],
    ['grep -r --context 1 x', ALL],
    ['grep -r "$X"', ALL],
    ['grep -r x "$X"', '<any>/<any>'],
    ['rg x src'],
    ['rg -u x src'],
    ['rg --hidden x src', SRC],
    ['rg -. x src', SRC],
    ['rg -uu x src', SRC],
    ['rg -uuu x src', SRC],
    ['rg -u -u x src', SRC],
    ['rg --unrestricted x src', SRC],
    ["rg --hidden -g '*' x", ALL],
    ['rg --hidden -t ts x src', SRC],
    ['rg --hidden --glob a x', ALL],
    ['rg --hidden -r y x src', SRC],
    ['ag x src'],
    ['ag -u x src', SRC],
    ['ag --hidden x src', SRC],
    ['ag --unrestricted x', ALL],
    ['ag --hidden -G ts x', ALL],
  ])('%s', (command, ...paths) => {
    expect(below(command)).toEqual(paths)
  })

  it.each<[string, ...string[]]>([
    ["grep -r --include='*.ts' x", '/work/<any><segment>.ts'],
    ['grep -r --include=*.ts x', '/work/<any><segment>.ts'],
    ['grep -r --include "*.ts" x src', '/work/src/<any><segment>.ts'],
    ['grep -r --include="$X" x', ALL],
    ["grep -r --include='*.ts' --include='*.js' x", ALL],
  ])('of some files: %s', (command, ...paths) => {
    expect(below(command)).toEqual(paths)
  })
})

describe('a copy', () => {
  it.each<[string, ...string[]]>([
    ['cp src x'],
    ['cp -r src x', SRC],
    ['cp -R src x', SRC],
    ['cp -a src x', SRC],
    ['cp --recursive src x', SRC],
    ['cp --archive src x', SRC],
    ['cp -r src', SRC],
    ['cp -rt x src', '/work/x/<any>', SRC],
    ['cp -r --target-directory=x src', SRC],
    ['scp src x'],
    ['scp -r src x', SRC],
    ['rsync src x', SRC],
    ['rsync -t src x', SRC],
    ['mv src x', SRC],
    ['ln -s src x', SRC],
    ['tar cf x.tar src', '/work/cf/<any>', '/work/x.tar/<any>', SRC],
    ['zip x src'],
    ['zip -r x src', '/work/x/<any>', SRC],
    ['zip --recurse-paths x src', '/work/x/<any>', SRC],
    ['7z a x src', '/work/a/<any>', '/work/x/<any>', SRC],
    ['diff src x'],
    ['diff -r src x', SRC, '/work/x/<any>'],
    ['diff --recursive src x', SRC, '/work/x/<any>'],
    ['cat src'],
  ])('%s', (command, ...paths) => {
    expect(below(command)).toEqual(paths)
  })

  it('is seen from every folder that the command may run in', () => {
    expect(below('cd sub; rsync src x').toSorted()).toEqual([SRC, '/work/sub/src/<any>'].toSorted())
  })
})

describe('a change', () => {
  it.each<[string, ...string[]]>([
    ['rm src'],
    ['rm -rf src', SRC],
    ['rm -fR src', SRC],
    ['rm --recursive src', SRC],
    ['mv src x', SRC],
    ['rsync src x', SRC],
    ['cp -r src x'],
    ['grep -r x src'],
  ])('%s', (command, ...paths) => {
    expect(below(command, 'edit')).toEqual(paths)
  })
})

it('a name that a search leaves out is not read', () => {
  const reads = (command: string, path: string) => {
    const { runs } = readScript(command, { workspace: '/work', home: '/home/me' })
    return runs.some((run) => foldersRead(run, 'read').some((use) => hasForbidden(use, literal(path))))
  }
  expect(reads('grep -r --exclude=.env x', '/work/a/.env')).toBe(false)
  expect(reads('grep -r --exclude .env x', '/work/a/.env')).toBe(false)
  expect(reads('grep -r --exclude=.env x', '/work/.env.local')).toBe(true)
  expect(reads('grep -r --exclude=a x', '/work/a/.env')).toBe(true)
  expect(reads('grep -r x', '/other/.env')).toBe(false)
})
