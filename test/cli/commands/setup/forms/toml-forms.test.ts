import fc from 'fast-check'
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser'
import { describe, expect, it } from 'vitest'
import { tomlKey, tomlTable } from '../../../../../src/cli/commands/setup/forms/toml-forms.ts'
import { withoutSetting, withSetting } from '../../../../../src/cli/commands/setup/setup-plan.ts'
import { full } from '../../../../support/full.ts'

/** Every value with the name is of an installation of Pith. */
const OURS = () => true

const PROMPT = 'Say what is half done.\nQuote "names" and C:\\paths.'
const FORMS = {
  'a table': tomlTable(['mcp_servers', 'pith'], { command: 'pith', args: ['mcp'], env_vars: ['A'] }, OURS),
  'a setting': tomlKey('compact_prompt', PROMPT),
}
const valueIn = (text: string) => getStaticTOMLValue(parseTOML(text))

/** Pieces of files as people write them. */
const tomlDocument = fc
  .record({
    top: fc.subarray([
      'model = "gpt" # mine',
      '# a comment',
      '',
      'notify = [\n  "a",\n  "b",\n]',
      'text = """\n[no.table]\nx = 1\n"""',
      "quoted.'key' = 1",
    ]),
    tables: fc.subarray([
      '[mcp_servers.other]\ncommand = "x"',
      '[profiles."a b"]\nmodel = "m" # theirs',
      '# between',
      '[[list]]\na = 1\n',
      '[mcp_servers.other.env]\nA = "1"',
    ]),
    end: fc.constantFrom('', '\n', '\n\n'),
  })
  .map(({ top, tables, end }) => [...top, ...tables].join('\n') + end)

describe.each(Object.entries(FORMS))('%s', (_, form) => {
  it('is added and taken out of any file to the byte', () => {
    fc.assert(
      fc.property(tomlDocument, (text) => {
        const made = withSetting(text, form)
        expect(made && form.standing(made.text)).toBe('on')
        expect(withoutSetting(made?.text ?? '', form, made?.inserted)).toBe(text)
      }),
      { numRuns: full ? 5_000 : 50 },
    )
  })

  it('is taken out by its name without a record of what was put in, and everything else stays', () => {
    fc.assert(
      fc.property(tomlDocument, (text) => {
        const after = withoutSetting(withSetting(text, form)?.text ?? '', form)
        expect(valueIn(after)).toEqual(valueIn(text))
        for (const comment of text.match(/# \w+/g) ?? []) expect(after).toContain(comment)
      }),
      { numRuns: full ? 5_000 : 50 },
    )
  })
})

it('a setting goes after a byte order mark', () => {
  const made = withSetting('\uFEFF[a]\nb = 1\n', FORMS['a setting'])
  expect(made?.text).toMatch(/^\uFEFFcompact_prompt = /)
})

it('a setting of the user’s own stays', () => {
  const text = 'compact_prompt = "mine"\n'
  expect(FORMS['a setting'].standing(text)).toBe('other')
  expect(withSetting(text, FORMS['a setting'])).toBeUndefined()
  expect(withoutSetting(text, FORMS['a setting'])).toBe(text)
})

it.each([
  ['model = ', 'is no TOML: see line 1'],
  ['mcp_servers = { other = { command = "x" } }', 'has a form in which nothing can be added'],
])('a file with %s is not changed, and the reason is given', (text, reason) => {
  expect(() => withSetting(text, FORMS['a table'])).toThrow(reason)
})

it('a table that the user wrote in another form is taken out by its name', () => {
  const text = '[mcp_servers]\npith = { command = "pith" } # ours\nother = { command = "x" }\n'
  expect(valueIn(withoutSetting(text, FORMS['a table']))).toEqual({ mcp_servers: { other: { command: 'x' } } })
})

describe('what the user or the agent has written into our table', () => {
  const form = FORMS['a table']
  const before = '[mcp_servers.other]\ncommand = "x"\n'
  const made = withSetting(before, form)
  const edited = `${made?.text}enabled = false\n\n[mcp_servers.pith.tools.recall]\napproval_mode = "approve"\n`

  it('goes with the table, and never into the one above', () => {
    expect(withoutSetting(edited, form, made?.inserted)).toBe(before)
    expect(withoutSetting(`${made?.text}enabled = false\n`, form, made?.inserted)).toBe(before)
  })

  it('stays when Pith is set up once more', () => {
    expect(form.standing(edited)).toBe('on')
    expect(withSetting(edited, form, made?.inserted)).toBeUndefined()
  })

  it('stays when Pith has moved, and goes afterwards with the table', () => {
    const moved = tomlTable(['mcp_servers', 'pith'], { command: 'node', args: ['/new', 'mcp'], env_vars: ['A'] }, OURS)
    const renewed = withSetting(edited, moved, made?.inserted)
    expect(valueIn(renewed?.text ?? '')).toEqual({
      mcp_servers: {
        other: { command: 'x' },
        pith: {
          command: 'node',
          args: ['/new', 'mcp'],
          env_vars: ['A'],
          enabled: false,
          tools: { recall: { approval_mode: 'approve' } },
        },
      },
    })
    expect(withoutSetting(renewed?.text ?? '', moved, renewed?.inserted)).toBe(before)
  })
})
