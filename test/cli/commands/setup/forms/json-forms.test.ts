import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonItem, jsonValue, jsonValueOf, rootOf } from '../../../../../src/cli/commands/setup/forms/json-forms.ts'
import { withoutSetting, withSetting } from '../../../../../src/cli/commands/setup/setup-plan.ts'
import { full } from '../../../../support/full.ts'
import { jsonDocument } from './json-document.ts'

/** Every value with the name is of an installation of Pith. */
const OURS = () => true

const SERVER = { command: 'pith', args: ['mcp'] }
const FORMS = {
  'a value': jsonValue(['mcpServers', 'pith'], SERVER, OURS),
  'a value at the top': jsonValue(['pith'], 'on', OURS),
  'an item': jsonItem(['extensions'], '/pith/index.js', (item) => String(item).includes('/pith/')),
}

const valueIn = (text: string) => {
  const root = rootOf(text)
  return root && jsonValueOf(root)
}

describe.each(Object.entries(FORMS))('%s', (_, form) => {
  it('is added and taken out of any file to the byte', () => {
    fc.assert(
      fc.property(jsonDocument, (text) => {
        const made = withSetting(text, form)
        expect(made && form.standing(made.text)).toBe('on')
        expect(withoutSetting(made?.text ?? '', form, made?.inserted)).toBe(text)
        expect(withSetting(made?.text ?? '', form)).toBeUndefined()
      }),
      { numRuns: full ? 5_000 : 50 },
    )
  })

  it('is taken out by its name if the part was laid out again, and everything else stays', () => {
    fc.assert(
      fc.property(jsonDocument, (text) => {
        const made = withSetting(text, form)
        const laidOut = JSON.stringify(valueIn(made?.text ?? ''), undefined, 4)
        const after = withoutSetting(laidOut, form, made?.inserted)
        expect(form.standing(after)).toBe('off')
        expect(valueIn(after)).toEqual(valueIn(text) ?? {})
      }),
      { numRuns: full ? 5_000 : 50 },
    )
  })
})

describe('what the user does to the file in between', () => {
  const form = FORMS['a value']
  const text = '{\n  // mine\n  "a": 1, // one\n  "mcpServers": {\n    "other": { "command": "x" } // theirs\n  }\n}\n'
  const made = withSetting(text, form)
  const added = made?.text ?? ''

  it('stays, and comments with it', () => {
    const changed = added
      .replace('"a": 1,', '"a": 2,\n  "b": [3], /* new */')
      .replace(' // theirs', ', // theirs\n    "last": {}')
    const after = withoutSetting(changed, form, made?.inserted)
    for (const words of ['// mine', '// one', '/* new */', '// theirs', '"b": [3]', '"last": {}', '"a": 2'])
      expect(after).toContain(words)
    expect(valueIn(after)).toEqual({ a: 2, b: [3], mcpServers: { other: { command: 'x' }, last: {} } })
  })

  it('stays if our own part is the first of a table that was made for it', () => {
    const own = withSetting('{}', form)
    const changed = own?.text.replace(']\n    }', ']\n    },\n    "mine": 1') ?? ''
    expect(valueIn(changed)).toEqual({ mcpServers: { pith: SERVER, mine: 1 } })
    expect(valueIn(withoutSetting(changed, form, own?.inserted))).toEqual({ mcpServers: { mine: 1 } })
  })

  it('is kept without a record of what was put in, too', () => {
    expect(valueIn(withoutSetting(added, form))).toEqual(valueIn(text))
    expect(withoutSetting(added, form)).toContain('// theirs')
  })
})

it('an older value of ours is replaced', () => {
  const [old, now] = [jsonValue(['mcpServers', 'pith'], 'old', OURS), FORMS['a value']]
  const made = withSetting('{ "a": 1 }', old)
  expect(now.standing(made?.text ?? '')).toBe('outdated')
  expect(valueIn(withSetting(made?.text ?? '', now, made?.inserted)?.text ?? '')).toEqual({
    a: 1,
    mcpServers: { pith: SERVER },
  })
})

it.each([
  ['{ "a": ', 'is no JSON: see line 1, column 1'],
  ['[]', 'is no JSON object'],
  ['{ "mcpServers": [] }', 'has something else than a table at `mcpServers`'],
  ['{ "mcpServers": "x" }', 'has something else than a table at `mcpServers`'],
])('a file with %s is not changed, and the reason is given', (text, reason) => {
  expect(() => withSetting(text, FORMS['a value'])).toThrow(reason)
})

describe('what the user has written into our value', () => {
  const form = jsonValue(['mcpServers', 'pith'], { ...SERVER, env: {} }, OURS)
  const before = '{\n  "a": 1\n}\n'
  const made = withSetting(before, form)
  const edited = (made?.text ?? '').replace('"env": {}', '"env": { "PITH_HOME": "/mine" }, // mine\n      "timeout": 5')

  it('stays when Pith is set up once more', () => {
    expect(edited).toContain('/mine')
    expect(withSetting(edited, form, made?.inserted)).toBeUndefined()
  })

  it('stays when Pith has moved, and goes with the value', () => {
    const moved = jsonValue(['mcpServers', 'pith'], { command: 'node', args: ['/new', 'mcp'], env: {} }, OURS)
    const renewed = withSetting(edited, moved, made?.inserted)
    expect(renewed?.text).toContain('// mine')
    expect(valueIn(renewed?.text ?? '')).toEqual({
      a: 1,
      mcpServers: { pith: { command: 'node', args: ['/new', 'mcp'], env: { PITH_HOME: '/mine' }, timeout: 5 } },
    })
    expect(valueIn(withoutSetting(renewed?.text ?? '', moved, renewed?.inserted))).toEqual({ a: 1 })
  })
})

describe('an item of the user’s beside ours in one group', () => {
  const isOurs = (item: unknown) => JSON.stringify(item).includes('/pith/')
  const hooks = (command: string) => jsonItem(['hooks', 'Stop'], { hooks: [{ command }] }, isOurs, 'hooks')
  const form = hooks('/pith/old')
  const made = withSetting('{}', form)
  const edited = (made?.text ?? '').replace('"hooks": [', '"hooks": [ { "command": "mine" },')

  it('stays if ours is taken out', () => {
    expect(form.standing(edited)).toBe('on')
    expect(valueIn(withoutSetting(edited, form, made?.inserted))).toEqual({
      hooks: { Stop: [{ hooks: [{ command: 'mine' }] }] },
    })
  })

  it('stays if ours is brought up to date', () => {
    const after = withSetting(edited, hooks('/pith/new'), made?.inserted)
    expect(valueIn(after?.text ?? '')).toEqual({
      hooks: { Stop: [{ hooks: [{ command: 'mine' }] }, { hooks: [{ command: '/pith/new' }] }] },
    })
  })
})
