import { describe, expect, it } from 'vitest'
import { namesOf } from '../../../../src/engine/compact/verify/source-index.ts'

const names = (summary: string) => namesOf(summary).map(({ kind, text }) => `${kind} ${text}`)

describe('the paths that a summary names', () => {
  it.each([
    ['in a sentence, with its full stop', 'Look at src/a/b.ts.', 'src/a/b.ts'],
    ['between backticks', 'Look at `src/a/b.ts`', 'src/a/b.ts'],
    ['in bold', 'Look at **src/a/b.ts**: it is new', 'src/a/b.ts'],
    ['in a list, in brackets', '- (src/a/b.ts) is new', 'src/a/b.ts'],
    ['in a link', '[the file](src/a/b.ts)', 'src/a/b.ts'],
    ['with a line', 'src/a/b.ts:12', 'src/a/b.ts'],
    ['with a line and a column', '`src/a/b.ts:12:3`', 'src/a/b.ts'],
    ['with a range of lines', '`src/a/b.ts:12-30`', 'src/a/b.ts'],
    ['with a line as GitHub writes it', 'src/a/b.ts#L12-L30', 'src/a/b.ts'],
    ['with the function in it', '`src/a/b.ts:parseLine()`', 'src/a/b.ts'],
    ['a file name alone', 'see config.yaml', 'config.yaml'],
    ['a dot file', 'created .env', '.env'],
    ['a folder between backticks', 'in `apps/web`', 'apps/web'],
    ['a folder under a known root', 'in src/engine', 'src/engine'],
    ['from the home folder', 'in ~/code/notes', '~/code/notes'],
    ['from here', 'in ./tools/gen', './tools/gen'],
    ['of Windows', 'in `C:\\work\\a.ts`', 'C:\\work\\a.ts'],
    ['with an open part', 'in `app/[id]/page.tsx`', 'app/[id]/page.tsx'],
    ['a glob', 'in `src/**/*.ts`', 'src/**/*.ts'],
  ])('%s', (_, summary, path) => {
    expect(names(summary)).toEqual([`path ${path}`])
  })

  it('a list in braces names each of its files', () => {
    expect(names('Changed src/{a,b}.ts')).toEqual(['path src/a.ts', 'path src/b.ts'])
  })

  it.each(['read/write and/or client/server', 'the ratio 3/4 on 2024/01/02', '`/^shared$/`'])(
    '%s names none',
    (summary) => {
      expect(names(summary)).toEqual([])
    },
  )
})

describe('the identifiers that a summary names', () => {
  it.each([
    ['a word between backticks', 'the `agent` package', 'agent'],
    ['camelCase', 'now parseLine works', 'parseLine'],
    ['snake_case', 'now parse_line works', 'parse_line'],
    ['PascalCase with an inner capital', 'now LineParser works', 'LineParser'],
    ['CONSTANT_CASE', 'now MAX_LINES works', 'MAX_LINES'],
    ['a call', 'now parse() works', 'parse()'],
    ['a member', 'now `line.parse` works', 'line.parse'],
    ['a version', 'since 1.2.3', '1.2.3'],
    ['a short version', 'since v1.2', 'v1.2'],
    ['an address', 'at 10.0.0.7', '10.0.0.7'],
    ['a hash', 'in commit 1a2b3c4d', '1a2b3c4d'],
    ['a port', 'on port 5432', '5432'],
    ['a host with a port', 'on localhost:3000', 'localhost:3000'],
    ['an issue', 'fixes #183', '#183'],
    ['a ticket', 'fixes ENT-250', 'ENT-250'],
    ['a URL', 'see https://a.dev/b.', 'https://a.dev/b'],
    ['a name joined to a word by a hyphen', 'the parseLine-related part', 'parseLine'],
  ])('%s', (_, summary, identifier) => {
    expect(names(summary)).toEqual([`identifier ${identifier}`])
  })

  it('in a command the names, not the words', () => {
    expect(names('`git rebase --autostash main`')).toEqual(['identifier --autostash'])
  })

  it('a member of an object among other code is not a file', () => {
    expect(names('`x = console.log(items.map(go))`')).toEqual(['identifier console.log', 'identifier items.map'])
  })

  it.each(['Plain words, an API, JSON and IDs.', 'Task #1 of 3, 50 % at 12:30', ''])('%s names none', (summary) => {
    expect(names(summary)).toEqual([])
  })
})

describe('a name that is cut off', () => {
  it.each([
    ['by an ellipsis', 'ran `cat /home/ann/shop/src/par…`'],
    ['by an ellipsis in a call', 'bash({"command":"cat /home/ann/shop/src/par…) → 12 lines'],
    ['at its beginning', '…rser/dateParser.ts was read'],
    ['before a note of what is left out', 'see /home/ann/shop/src/par\n[… 200 characters left out, recall #3 …]\n'],
    ['after such a note', '[… 200 characters left out, recall #3 …]\nrser/dateParser.ts'],
  ])('is none: %s', (_, summary) => {
    expect(names(summary).filter((name) => !name.endsWith('#3'))).toEqual([])
  })

  it('is whole if only its folders are left out', () => {
    expect(names('…/parser/dates.ts')).toEqual(['path /parser/dates.ts'])
  })
})

describe('the names in a sentence without spaces', () => {
  it('end where the other script or its punctuation begins', () => {
    const summary = '修改了src/a.ts和src/b.ts，调用parseLine。`文档/说明.md`を見て、src/c.tsに変更。'
    expect(names(summary)).toEqual([
      'path src/a.ts',
      'path src/b.ts',
      'identifier parseLine',
      'path 文档/说明.md',
      'path src/c.ts',
    ])
  })
})

describe('the quotations of a summary', () => {
  it.each([
    ['what someone said', 'The user said "keep it as simple".', 'keep it as simple'],
    ['curly quotes', 'The user: “keep it as simple”', 'keep it as simple'],
    ['an item of a list', '- "keep it as simple"', 'keep it as simple'],
    ['a long one, whoever said it', 'It is "as long as a label never would be".', 'as long as a label never would be'],
    ['a block', 'As asked:\n\n> keep it\n> as simple\n\nDone.', 'keep it\nas simple'],
    ['with code in it', '- "keep `it` as simple"', 'keep `it` as simple'],
    ['over a line break', '- "keep it\n  as simple"', 'keep it\n  as simple'],
  ])('%s', (_, summary, quotation) => {
    expect(names(summary)).toContain(`quotation ${quotation}`)
  })

  it.each([
    ['a few words', 'The user said "keep it simple".'],
    ['a label', 'the "what is left over" step'],
    ['texts in code', 'calls `log("one two three four five six seven eight")`'],
    ['code blocks', '```\n"one two three four five six seven eight"\n```'],
    ['a quote that never closes', 'The user said: "keep it as simple as it is'],
    [
      'a quote that is cut off',
      'edit({"text":"On the way…) → The file is now as it was said.\n- bash({"command":"ls"})',
    ],
    ['numbers', 'The output was "2024 10 11 12 13 14 15 16"'],
  ])('%s quote nothing', (_, summary) => {
    expect(names(summary).filter((name) => name.startsWith('quotation'))).toEqual([])
  })
})
