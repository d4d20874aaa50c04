import { describe, expect, it } from 'vitest'
import { needsTrust, trustWorkspace } from '../../../src/config/places/trust.ts'
import { FILE_KEYS, POLICY_SHORTCUTS } from '../../../src/config/tables/file-schema.ts'
import { pluginPolicy } from '../../../src/plugins/shared/plugin-policy.ts'
import { configFolders } from '../../support/config-folders.ts'

/** Settings that a project’s file may have, with a part of the line that must appear. */
const NAMED: readonly (readonly [text: string, part: string])[] = [
  ['model: a/b', 'model: a/b (your conversation goes to this model)'],
  ['fallback_model: a/b', 'fallback_model: a/b (your conversation goes to this model if the first one fails)'],
  ['reasoning: high', 'reasoning: high (how much the model thinks, and what it costs)'],
  ['step_limit: 9000', 'step_limit: 9000 (more model calls for one message)'],
  ['task_steps: 900', 'task_steps: 900 (more model calls for one sub-agent)'],
  ['task_tokens: 9000000', 'task_tokens: 9000000 (more tokens for one sub-agent)'],
  ['task_cost: 50', 'task_cost: 50 (more dollars for one sub-agent)'],
  ['checkpoint_mb: 0', 'checkpoint_mb: 0 (/rewind cannot put files back)'],
  ['checkpoint_mb: 1', 'checkpoint_mb: 1 (/rewind keeps fewer files)'],
  ['instructions: false', 'instructions: false (AGENTS.md is not read)'],
  ['memory: false', 'memory: false (sessions begin without the memory)'],
  [
    'models: [{ provider: a, model: b, price: { input: 0, output: 0 } }]',
    'models.a/b (its window and prices, and so all costs, are those of this file)',
  ],
  ['policy: { mode: "off" }', 'policy.mode: off (nothing is compacted automatically)'],
  ['policy: { verify: false }', 'policy.verify: false (names in summaries are not checked)'],
  ['policy: { summary_model: a/b }', 'policy.summary_model: a/b (your conversation goes to this model for summaries)'],
  ['policy: { rungs: [cold] }', 'policy.rungs: ["cold"] (how a conversation is made to fit)'],
  ['policy: { estimator: characters }', 'policy.estimator: characters (how tokens are counted)'],
  ['policy: { preset: keen }', 'policy.preset: keen (when and how it compacts)'],
  ['preserve_count: 3', 'preserve_count: 3 (when and how it compacts)'],
]

/** Settings of the terminal, which take nothing away. */
const HARMLESS = ['theme', 'notify']

describe('a project’s file that the user has not trusted', () => {
  it.each(NAMED)('sets %s only with a line that names the file, the setting and the effect', (text, part) => {
    const folders = configFolders()
    folders.project(text)
    const { notices } = folders.load()
    expect(notices).toHaveLength(1)
    expect(notices[0]).toContain(`Set by ${folders.projectFile}, which you have not trusted: ${part}`)
    trustWorkspace(folders.workspace, folders.env)
    expect(folders.load().notices).toEqual([])
  })

  it('needs trust or a line for every setting that is not about the looks', () => {
    const named = NAMED.map(([text]) => text.slice(0, text.indexOf(':')))
    const open = FILE_KEYS.filter((key) => !needsTrust({ path: [key] }) && !POLICY_SHORTCUTS.includes(key))
    expect(open.filter((key) => !named.includes(key)).toSorted()).toEqual(HARMLESS.toSorted())
  })

  it('cannot switch off that secrets are left out', () => {
    const folders = configFolders()
    folders.project('policy: { redact_secrets: false }')
    const { policy, untrusted } = folders.load()
    expect(policy.redactSecrets).toBe(true)
    expect(untrusted).toEqual([{ key: 'policy.redact_secrets', file: folders.projectFile }])
  })

  it('has no line for what the user has set too, what is stricter, and what a flag overrides', () => {
    const folders = configFolders()
    folders.user('model: a/b\npolicy: { mode: ask }\ncheckpoint_mb: 5\nstep_limit: 50')
    folders.project('model: a/b\npolicy: { mode: ask }\ncheckpoint_mb: 9\nstep_limit: 10\ntheme: dark')
    expect(folders.load().notices).toEqual([])
    folders.project('model: c/d')
    expect(folders.load({ flags: { model: 'e/f' } }).notices).toEqual([])
  })

  it('may choose a preset in which a number of the user counts as not set', () => {
    const folders = configFolders()
    folders.user('policy: { keep_tokens: -1 }')
    folders.project('policy: { preset: kit }')
    expect(folders.load().notices[0]).toContain('policy.preset: kit')
  })

  it('has one line for all of its values, and a long one is cut', () => {
    const folders = configFolders()
    folders.project(`checkpoint_mb: 0\nmodel: a/${'b'.repeat(5_000)}`)
    const { notices } = folders.load()
    expect(notices).toHaveLength(1)
    expect(notices[0]).toMatch(/model: a\/b+ \(.*\), checkpoint_mb: 0 \(/)
    expect(notices[0]?.length).toBeLessThan(600)
  })

  it('sets nothing in a program that shows no lines, such as a plug-in of another agent', () => {
    const folders = configFolders()
    folders.user('policy: { keep_messages: 7 }')
    folders.project('policy: { mode: "off" }')
    expect(folders.load({ unseen: true }).settings.policy).toEqual({ preset: 'pith', keepMessages: 7 })
    expect(pluginPolicy(folders.workspace)).not.toHaveProperty('mode')
    trustWorkspace(folders.workspace, folders.env)
    expect(folders.load({ unseen: true }).settings.policy).toMatchObject({ mode: 'off' })
  })
})
