import { describe, expect, it } from 'vitest'
import { foldersRead, hasForbidden } from '../../../../src/agent/permissions/shell/folders-read.ts'
import { readScript } from '../../../../src/agent/permissions/shell/read-script.ts'
import { literal, type TextShape } from '../../../../src/agent/permissions/shell/text-shape.ts'

const shown = (shape: TextShape) => shape.map((part) => ('text' in part ? part.text : `<${part.hole}>`)).join('')

/** The paths that a command reads or changes below folders. */
function below(command: string, kind: 'read' | 'edit' = 'read'): string[] {
  const { runs } = readScript(command, { workspace: '/repo', home: '/home/me' })
  return runs.flatMap((run) => foldersRead(run, kind).map(({ path }) => shown(path)))
}

const ALL = '/repo/<any>'
const SRC = '/repo/src/<any>'

describe('a search', () => {
  it.each<[string, ...string[]]>([
    ['grep x'],
    ['grep x src'],
    ['grep -r x', ALL],
    ['grep -R x .', ALL],
    ['grep -rn x src', SRC],
    ['grep -nr x src lib', SRC, '/repo/lib/<any>'],
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
    ['ag --hidden -f x', ALL],
    ['ag --hidden -C 3 x', ALL],
    ['ag --hidden -C3 x', ALL],
    ['grep --recurs x src', SRC],
    ['grep -er src'],
  ])('%s', (command, ...paths) => {
    expect(below(command)).toEqual(paths)
  })

  it.each<[string, ...string[]]>([
    ['grep -rePASSWORD . src', ALL, SRC],
    ['grep -reA /repo src', ALL, SRC],
    ['grep -rePASSWORD /home/me', '/home/me/<any>'],
    ['rg --hidden -trust KEY ~', '/home/me/<any>'],
    ['rg --hidden -tmd KEY ~', '/home/me/<any>'],
    ['rg --hidden -tr KEY ~', '/home/me/<any>'],
    ['ag -uC KEY /home/me', '/home/me/<any>'],
    ['rg --hidden -trust KEY src', SRC],
    ['rg --hidden -tmd KEY docs', '/repo/docs/<any>'],
    ['grep -r -- -e .', ALL],
    ['grep -r - src', SRC],
  ])('with a value in the word of its option: %s', (command, ...paths) => {
    expect(below(command)).toEqual(paths)
  })

  it.each<[string, ...string[]]>([
    ['grep -r -e $X src', '<any>/<any>', SRC, ALL],
    ['grep -r --rege x src', '/repo/x/<any>', SRC, ALL],
    ['ag --hidden -C "$N" x src', '<any>/<any>', '/repo/x/<any>', SRC, ALL],
  ])('whose pattern is not sure may look anywhere: %s', (command, ...paths) => {
    expect(below(command)).toEqual(paths)
  })

  it.each<[string, ...string[]]>([
    ["grep -r --include='*.ts' x", '/repo/<any><segment>.ts'],
    ['grep -r --include=*.ts x', '/repo/<any>.ts', '/repo/<any><one><segment>.ts'],
    [
      'grep -rn --include=*.{ts,tsx} x',
      '/repo/<any>.ts',
      '/repo/<any>.tsx',
      '/repo/<any><one><segment>.ts',
      '/repo/<any><one><segment>.tsx',
    ],
    ['grep -r --include "*.ts" x src', '/repo/src/<any><segment>.ts'],
    ['grep -r --include="$X" x', ALL],
    ["grep -r --include='*.ts' --include='*.js' x", '/repo/<any><segment>.ts', '/repo/<any><segment>.js'],
    ['grep -r --include=\'*.ts\' --include="$X" x', ALL],
    ['grep -r --include="[.$X]env" x', ALL],
    ["rg --hidden --include='*.ts' x", ALL],
    ["grep -r -e '--include=*.ts' .", ALL],
    ['grep -r -- --include=*.ts .', ALL],
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
    ['cp -rt x src', SRC],
    ['cp -r --target-directory=/tmp/x src .', SRC, ALL],
    ['cp -r --target-directory /tmp/x .', ALL],
    ['cp -r --target=/tmp/x src .', SRC, ALL],
    ['mv --target-directory=/tmp/x src .', SRC, ALL],
    ['cp -r -- src -x', SRC],
    ['rsync -a --include=*.ts . /tmp/x', ALL],
    ["rsync -a --include '*.ts' . /tmp/x", ALL],
    ["rsync -a --include='*.ts' . /tmp/x", ALL],
    ['tar --include=*.ts .', ALL],
    ['cp -r --target-directory=x src', SRC],
    ['scp src x'],
    ['scp -r src x', SRC],
    ['rsync src x', SRC],
    ['rsync -t src x', SRC],
    ['mv src x', SRC],
    ['ln -s src x', SRC],
    ['tar cf x.tar src', '/repo/cf/<any>', '/repo/x.tar/<any>', SRC],
    ['zip x src'],
    ['zip -r x src', '/repo/x/<any>', SRC],
    ['zip --recurse-paths x src', '/repo/x/<any>', SRC],
    ['7z a x src', '/repo/a/<any>', '/repo/x/<any>', SRC],
    ['diff src x'],
    ['diff -r src x', SRC, '/repo/x/<any>'],
    ['diff --recursive src x', SRC, '/repo/x/<any>'],
    ['cat src'],
  ])('%s', (command, ...paths) => {
    expect(below(command)).toEqual(paths)
  })

  it('is seen from every folder that the command may run in', () => {
    expect(below('cd sub; rsync src x').toSorted()).toEqual([SRC, '/repo/sub/src/<any>'].toSorted())
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

describe('a name that a command leaves out', () => {
  it.each<[string, string, boolean]>([
    ['grep -r --exclude=.env x', '/repo/a/.env', false],
    ['grep -r --exclude .env x', '/repo/a/.env', false],
    ['rsync -a --exclude .env . /tmp/x', '/repo/a/.env', false],
    ["rg --hidden x -g '!.env'", '/repo/a/.env', false],
    ['rg --hidden --glob "!.env" x', '/repo/a/.env', false],
    ["rg --hidden --iglob='!.env' x", '/repo/a/.env', false],
    ['grep -r --exclude=.env x', '/repo/.env.local', true],
    ['grep -r --exclude=a x', '/repo/a/.env', true],
    ["rg --hidden -g '!a/.env' x", '/repo/b/.env', true],
    ["rg --hidden -g '!.env' -g '.e*' x", '/repo/.env', true],
    ['rsync -a --include=.env --exclude=.env . /tmp/x', '/repo/.env', true],
    ['grep -r --include=.env --exclude=.env x', '/repo/.env', true],
    ['grep -r -e --exclude=.env .', '/repo/.env', true],
    ['grep -r -- --exclude=.env .', '/repo/.env', true],
    ['grep -r x', '/other/.env', false],
  ])('%s reads %s: %s', (command, path, is) => {
    expect(reads(command, literal(path))).toBe(is)
  })

  it('is not the end of a name that a rule leaves open', () => {
    const open: TextShape = [{ text: '/repo/' }, { hole: 'segment' }, { text: '.env' }]
    expect(reads('grep -r --exclude=.env x', open)).toBe(true)
  })

  function reads(command: string, path: TextShape): boolean {
    const { runs } = readScript(command, { workspace: '/repo', home: '/home/me' })
    return runs.some((run) => foldersRead(run, 'read').some((use) => hasForbidden(use, path)))
  }
})
