import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toolFacts } from '../../../../src/engine/extract/calls/tool-facts.ts'
import { shellFiles } from '../../../../src/engine/extract/shell/shell-files.ts'
import { shellTokens } from '../../../../src/engine/extract/shell/shell-lexer.ts'

const uses = (command: string, folder = 'C:/proj') =>
  shellFiles(command, folder).map(({ access, change, path }) => `${change ?? access} ${path}`)

describe('commands of Windows', () => {
  it.each([
    ['cat C:\\proj\\src\\a.ts', ['read C:/proj/src/a.ts']],
    ['cat "C:\\proj\\src\\a.ts"', ['read C:/proj/src/a.ts']],
    ["cat 'c:\\proj\\a.ts'", ['read C:/proj/a.ts']],
    ['echo x > src\\a.ts', ['modified C:/proj/src/a.ts']],
    ['echo x > .\\a.ts', ['modified C:/proj/a.ts']],
    ['cat \\\\server\\share\\a.ts', ['read //server/share/a.ts']],
    ['rm -r "C:\\Users\\Ada Lovelace\\x.ts"', ['deleted C:/Users/Ada Lovelace/x.ts']],
    ['git -C C:\\other rm a.ts', ['deleted C:/other/a.ts']],
    ['cd /d D:\\x && cat a.ts', ['read D:/x/a.ts']],
    ['cd "C:\\Program Files\\x"; cat a.ts', ['read C:/Program Files/x/a.ts']],
    ['cd src\\lib && cat a.ts', ['read C:/proj/src/lib/a.ts']],
    ['cat a.ts\r\ncat b.ts\r\n', ['read C:/proj/a.ts', 'read C:/proj/b.ts']],
    ['npm test > NUL 2>&1', []],
    ['npm test 2> nul', []],
    ['npm test > $null', []],
  ])('%j uses %j', (command, expected) => expect(uses(command)).toEqual(expected))

  it.each([
    ['\\rm a.ts', ['deleted /w/a.ts']],
    ['cat my\\ file.ts', ['read /w/my file.ts']],
    ['cat a\\$b.ts', ['read /w/a$b.ts']],
    ['cd /d && cat a.ts', ['read /d/a.ts']],
  ])('bash still reads %j as %j', (command, expected) => expect(uses(command, '/w')).toEqual(expected))

  it('no backslash changes the words that permissions compare', () => {
    expect(shellTokens('r\\m C:\\a').map((token) => 'text' in token && token.text)).toEqual(['rm', 'C:a'])
  })

  it('a file is one file, however a tool of Windows writes its path', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/)
    fc.assert(
      fc.property(fc.constantFrom('c', 'D'), fc.array(name, { minLength: 1, maxLength: 4 }), (drive, names) => {
        const forms = ['\\', '/'].flatMap((slash) =>
          [drive.toLowerCase(), drive.toUpperCase()].map((letter) => `${[`${letter}:`, ...names].join(slash)}.ts`),
        )
        const kept = forms.flatMap((path) =>
          ['Read', 'Edit'].flatMap((toolName) => {
            const facts = toolFacts({ type: 'tool-call', toolCallId: '1', toolName, input: { file_path: path } })
            return facts.map((fact) => ('path' in fact ? fact.path : ''))
          }),
        )
        const shell = forms.flatMap((path) => shellFiles(`cat ${path}`, 'E:/x').map((file) => file.path))
        expect(new Set([...kept, ...shell])).toEqual(new Set([`${drive.toUpperCase()}:/${names.join('/')}.ts`]))
      }),
    )
  })
})
