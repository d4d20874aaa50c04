import { chmodSync, mkdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseGatewaySettings, parseServerSettings } from '../../src/config/tables/program-settings.ts'
import { PithError } from '../../src/model/problems/errors.ts'
import { configFolders } from '../support/config-folders.ts'

const BAD: readonly (readonly [what: string, text: string, error: string])[] = [
  ['an unknown key', 'theme: dark\nmodle: a/b', ':2: unknown key `modle`, did you mean `model`?'],
  [
    'an unknown key of the policy',
    'policy:\n  mode: auto\n  keep_mesages: 3',
    ':3: policy: unknown key `keep_mesages`, did you mean `keep_messages`?',
  ],
  [
    'an unknown key of a provider',
    'providers:\n  x:\n    base_ur: http://a',
    ':3: providers.x: unknown key `base_ur`, did you mean `base_url`?',
  ],
  [
    'a provider key in camelCase',
    'providers: { x: { baseUrl: "http://a" } }',
    ':1: providers.x: unknown key `baseUrl`, did you mean `base_url`?',
  ],
  [
    'an unknown hook',
    'hooks:\n  before_compacton: { command: x }',
    ':2: hooks: unknown key `before_compacton`, did you mean `before_compaction`?',
  ],
  [
    'an unknown key of a model',
    'models:\n  - provider: a\n    model: b\n    contxt_window: 3',
    ':4: models.0: unknown key `contxt_window`, did you mean `context_window`?',
  ],
  ['a store of another kind', 'store: mysql://db/pith', ':1: store: must be a path or a postgres:// URL'],
  ['a bad value', '# mine\npermissions: yolo', ':2: permissions: must be ask, auto-edit or full'],
  [
    'a bad value of a key that takes a word or a table',
    'reasoning: auto',
    ':1: reasoning: expected off, low, medium or high, or a table of these by model',
  ],
  ['a bad value of the policy', 'policy:\n  trigger_percent: 120', ':2: policy.trigger_percent: must be at most 100'],
  ['a bad value of a policy key at the top', '\npreserve_count: -1', ':2: preserve_count: must be at least 0'],
  [
    'a bad URL',
    'providers:\n  x:\n    base_url: nowhere',
    ':3: providers.x.base_url: must be a URL that starts with http:// or https://',
  ],
  [
    'a number that only one preset takes',
    'policy: { keep_tokens: -1 }',
    ':1: policy.keep_tokens: must not be negative',
  ],
  [
    'a name that is not a provider',
    'providers: { my own: { kind: openai } }',
    ':1: providers.my own: is not a name for a provider: use letters, digits, . - _',
  ],
  [
    'a hook without a command',
    'hooks:\n  after_compaction:\n    timeout_ms: 3',
    ':2: hooks.after_compaction.command: is missing: it takes a text',
  ],
  [
    'two names for one setting',
    'preserve_count: 3\npolicy:\n  keep_messages: 4',
    ':1: policy.keep_messages is set twice',
  ],
  ['a model twice', 'models:\n- { provider: a, model: b }\n- { provider: a, model: b }', ':3: models.a/b is set twice'],
  ['a key twice', 'theme: dark\ntheme: dark', ':2:1: this key is set twice: keep one'],
  ['broken YAML', 'theme: dark\nmodels: [a', ':2:11: `]` is missing'],
  ['two documents', 'theme: dark\n---\ntheme: dark', ':2:1: the settings of a file are one table: remove the `---`'],
  ['a text in place of a table', 'hello', ': expected a table of settings, like `model: anthropic/…`'],
  [
    'a value that is nearly right',
    'permissions: ful',
    ':1: permissions: must be ask, auto-edit or full, did you mean `full`?',
  ],
  ['a text in place of a number', 'step_limit: many', ':1: step_limit: must be a number, not a text'],
  ['a number in quotes', 'step_limit: "7"', ':1: step_limit: must be a number: write it without quotes'],
  ['a part of a number', 'step_limit: 1.5', ':1: step_limit: must be a whole number'],
  ['a number that is too small', 'step_limit: 0', ':1: step_limit: must be more than 0'],
  ['a text in place of a yes or no', 'instructions: "yes"', ':1: instructions: must be true or false, not a text'],
  ['an empty text', 'model: ""', ':1: model: must not be empty'],
  ['a list in place of a table', 'providers: []', ':1: providers: must be a table, not a list'],
  ['a text in place of a list', 'mcp: { a: { args: x } }', ':1: mcp.a.args: must be a list, not a text'],
  ['an empty list', 'policy: { rungs: [] }', ':1: policy.rungs: must have at least 1 item'],
  [
    'a key like no other',
    'hooks:\n  zzz: 1',
    ':2: hooks: unknown key `zzz`: it may be before_compaction or after_compaction',
  ],
  ['a colon in a value', 'theme: dark\nmodel: a: b', ':2:8: a value with a colon in it needs quotes'],
  ['a tab', 'hooks:\n\tx: 1', ':2:1: indent with spaces, not with tabs'],
  [
    'JSON with a comma too many',
    '{\n  "theme": "dark",,\n}',
    ':2:19: nothing is allowed here: there is a comma or bracket too many',
  ],
  ['JSON that is not closed', '{ "theme": "dark"', ':1:18: `}` is missing'],
  ['an alias without an anchor', 'theme: dark\nmodel: *x', ':2:8: a value that begins with `*` or `&` needs quotes'],
  ['an alias before its anchor', 'theme: *x\nmodel: &x a/b', ':1:8: a value that begins with `*` or `&` needs quotes'],
]

describe('a wrong configuration file', () => {
  it.each(BAD)('is refused in one line that names file, line and key: %s', (_, text, error) => {
    const folders = configFolders()
    folders.user(text)
    expect(messageOf(folders.load)).toContain(`${folders.userFile}${error}`)
    folders.user('')
    folders.project(text)
    expect(messageOf(folders.load)).toContain(`${folders.projectFile}${error}`)
  })

  it.each([
    'model: |sk-SECRET',
    'model: >sk-SECRET',
    'model: *sk-SECRET',
    'providers: { x: { api_key: *sk-SECRET } }',
    'model: a\n]sk-SECRET',
    'model: "a" sk-SECRET',
    'model: "\\UDEADSECR"',
    'model: !<sk-SECRET 1',
    'model: @sk-SECRET',
    'model: [a # end with a SECRET',
    '%YAML sk-SECRET\n---\nmodel: a',
  ])('names the place where it is not YAML and does not quote it: %s', (text) => {
    const folders = configFolders()
    folders.user(text)
    const message = messageOf(folders.load)
    expect(message.replace(folders.userFile, '')).toMatch(/^:\d+:\d+: [a-z`][^"]*$/)
    expect(message).not.toMatch(/SEC/)
  })

  it('is refused when it is a folder', () => {
    const folders = configFolders()
    mkdirSync(folders.userFile, { recursive: true })
    expect(messageOf(folders.load)).toBe(`${folders.userFile} is not read: it is not a regular file`)
  })

  it('is refused when it may not be read', (test) => {
    if (process.getuid?.() === 0) return test.skip('root may read everything')
    const folders = configFolders()
    folders.user('theme: dark')
    chmodSync(folders.userFile, 0)
    expect(messageOf(folders.load)).toContain('cannot be read (EACCES)')
  })

  it('whose aliases would fill the memory is refused', () => {
    const folders = configFolders()
    const levels = Array.from(
      { length: 12 },
      (_, n) => `  a${n + 1}: &a${n + 1} [${Array(10).fill(`*a${n}`).join(', ')}]`,
    )
    folders.project(`server:\n  a0: &a0 [x]\n${levels.join('\n')}`)
    expect(messageOf(folders.load)).toContain('config.yaml: its aliases would fill the memory')
  })
})

describe('a wrong table of a program', () => {
  it.each([
    ['server:\n  host: a\n  port: 70000', ':3: server.port: must be at most 65535'],
    ['server:\n  prt: 1', ':2: server: unknown key `prt`, did you mean `port`?'],
    ['server:\n  port: 1\n  hosts: [a, 2]', ':3: server.hosts.1: must be a text, not a number'],
    [
      'server:\n  port: 1\n  workspaces:\n    a:\n      permissions: full',
      ':5: server.workspaces.a.path: is missing: it takes a text',
    ],
    [
      'theme: dark\ngateway: { mode: rewrit }',
      ':2: gateway.mode: must be observe, answer or rewrite, did you mean `rewrite`?',
    ],
  ])('is refused by that program alone, with its place: %s', (text, error) => {
    const folders = configFolders()
    folders.user(text)
    const { settings, placeOf } = folders.load()
    const tables = () => [
      parseServerSettings(settings.server, placeOf),
      parseGatewaySettings(settings.gateway, placeOf),
    ]
    expect(messageOf(tables)).toBe(`${folders.userFile}${error}`)
  })

  it('does not matter in a project that is not trusted', () => {
    const folders = configFolders()
    folders.project('server: { prt: 1 }\ngateway: { mode: rewrit }')
    const { settings, placeOf } = folders.load()
    expect(parseServerSettings(settings.server, placeOf)).toMatchObject({ port: 7_484 })
    expect(parseGatewaySettings(settings.gateway, placeOf)).toMatchObject({ mode: 'answer' })
  })
})

describe('a wrong variable or flag', () => {
  it('is named', () => {
    const folders = configFolders()
    expect(messageOf(() => folders.load({ env: { PITH_THEME: 'pink' } }))).toContain(
      'PITH_THEME: theme: must be dark, light, none or auto',
    )
    expect(messageOf(() => folders.load({ env: { PITH_POLICY: 'kodak' } }))).toContain(
      'PITH_POLICY: policy.preset: must be pith, ',
    )
    expect(messageOf(() => folders.load({ flags: { step_limit: 'many' } }))).toBe(
      '--step-limit: step_limit: must be a number, not a text',
    )
  })

  it('is read as what the key takes', () => {
    const { settings } = configFolders().load({
      env: { PITH_STEP_LIMIT: '7', PITH_INSTRUCTIONS: 'false' },
      flags: { model: '7' },
    })
    expect(settings).toMatchObject({ stepLimit: 7, instructions: false, model: '7' })
  })
})

function messageOf(load: () => unknown): string {
  try {
    load()
  } catch (error) {
    expect(error).toBeInstanceOf(PithError)
    const { message } = error as PithError
    expect(message).not.toContain('\n')
    return message
  }
  return expect.unreachable('the configuration was taken')
}
