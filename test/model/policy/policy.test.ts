import { describe, expect, it } from 'vitest'
import { parsePolicyConfig, parsePolicyPatch } from '../../../src/model/policy/policy.ts'
import { policySchema, presetSchema } from '../../../src/model/policy/policy-schema.ts'
import { PRESETS, policyOf } from '../../../src/model/policy/presets.ts'

const presets = presetSchema.options

describe('every preset', () => {
  it.each(presets)('%s is a valid policy under its own name', (preset) => {
    expect(policySchema.parse(PRESETS[preset])).toEqual(PRESETS[preset])
    expect(policyOf({ preset })).toEqual(PRESETS[preset])
    expect(policyOf({ preset }).preset).toBe(preset)
  })

  it('other than the default allows only the one way to summarise that it had', () => {
    for (const preset of presets) expect(PRESETS[preset].rungs.length, preset).toBe(PRESETS[preset].fitTarget ? 5 : 1)
  })
})

describe('a policy', () => {
  it('is the default one when nothing is given', () => {
    expect(policyOf()).toEqual(PRESETS.pith)
  })

  it('has the given values over those of its preset', () => {
    expect(policyOf({ preset: 'koda', triggerPercent: 60 })).toEqual({ ...PRESETS.koda, triggerPercent: 60 })
  })

  it('takes a setting that is undefined from its preset', () => {
    expect(policyOf({ preset: 'koda', keepMessages: undefined }).keepMessages).toBe(4)
  })

  it('of agent keeps no message when it is set to keep 0', () => {
    expect(policyOf({ preset: 'agent', keepMessages: 0 }).keepMessages).toBe(0)
  })

  it('of kit takes zero or less for its defaults', () => {
    for (const none of [0, -1]) {
      const policy = policyOf({ preset: 'kit', keepTokens: none, reserveTokens: none })
      expect([policy.keepTokens, policy.reserveTokens]).toEqual([20_000, 16_384])
    }
  })

  it('of any other preset takes zero for zero, and refuses less', () => {
    for (const preset of presets.filter((name) => name !== 'kit')) {
      const policy = policyOf({ preset, keepTokens: 0, reserveTokens: 0 })
      expect([policy.keepTokens, policy.reserveTokens], preset).toEqual([0, 0])
      expect(() => policyOf({ preset, keepTokens: -1 }), preset).toThrowError(/^policy: keepTokens: [^\n]*negative/)
      expect(() => policyOf({ preset, reserveTokens: -1 }), preset).toThrowError(/^policy: reserveTokens: /)
    }
  })

  it('is not changed for others by who asks for one', () => {
    policyOf({ preset: 'kit', keepTokens: 5 })
    expect(policyOf({ preset: 'kit' }).keepTokens).toBe(20_000)
  })
})

describe('a choice of price', () => {
  it('is a preset by its name, and compacts in our own way', () => {
    for (const preset of ['economy', 'balanced', 'full-window'] as const) {
      const {
        triggerMaxTokens: _,
        targetMaxTokens: __,
        coldTriggerPercent: ___,
        endOfWorkPercent,
        ...rest
      } = policyOf()
      expect(policyOf({ preset }).endOfWorkPercent).toBeGreaterThanOrEqual(endOfWorkPercent ?? 0)
      expect(policyOf({ preset })).toMatchObject({ ...rest, preset })
    }
  })

  it('is balanced if there is no choice', () => {
    expect({ ...policyOf({ preset: 'balanced' }), preset: 'pith' }).toEqual(policyOf())
  })

  it('of economy compacts before balanced does, and full-window after both', () => {
    const limits = (['economy', 'balanced', 'full-window'] as const).map(
      (preset) => policyOf({ preset }).triggerMaxTokens ?? Number.POSITIVE_INFINITY,
    )
    expect(limits).toEqual(limits.toSorted((a, b) => a - b))
    expect(new Set(limits).size).toBe(3)
  })

  it('can be refined by settings of one’s own', () => {
    expect(policyOf({ preset: 'economy', keepTokens: 5_000 })).toEqual({
      ...policyOf({ preset: 'economy' }),
      keepTokens: 5_000,
    })
  })
})

describe('settings in TypeScript', () => {
  it('of an unknown name are refused, naming the nearest', () => {
    expect(() => parsePolicyPatch({ keepMesages: 3 })).toThrowError(
      'policy: unknown key `keepMesages`, did you mean `keepMessages`?',
    )
  })

  it('of a name like no other are refused without a guess', () => {
    expect(() => parsePolicyPatch({ colourOfTheStatusBar: 1 })).toThrowError(
      /^policy: unknown key `colourOfTheStatusBar`$/,
    )
  })

  it.each([
    ['triggerPercent', -1],
    ['triggerPercent', 101],
    ['targetPercent', 0],
    ['growthPercent', -5],
    ['keepMessages', -1],
    ['keepMessages', 1.5],
    ['tokenLimit', 0],
    ['indexTokens', -1],
    ['summaryTokens', -1],
    ['cutCharacters', -1],
    ['breakerFailures', 0],
    ['breakerCooldownMs', -1],
    ['rungs', []],
    ['mode', 'sometimes'],
    ['preset', 'codex'],
    ['prompt', ''],
    ['keepTokens', Number.NaN],
  ])('%s: %s is refused in one line that names it', (key, value) => {
    const refuse = () => parsePolicyPatch({ [key]: value })
    expect(refuse).toThrowError(new RegExp(`^policy: ${key}: [^\\n]+$`))
    expect(refuse).toThrowError(expect.objectContaining({ name: 'PithError', code: 'bad-policy' }))
  })
})

describe('settings in a configuration file', () => {
  it('are the same in snake_case', () => {
    expect(parsePolicyConfig({ preset: 'koda', trigger_percent: 60, breaker_cooldown_ms: 5 })).toEqual({
      preset: 'koda',
      triggerPercent: 60,
      breakerCooldownMs: 5,
    })
  })

  it('may have the three names that the preset agent brought along', () => {
    expect(
      parsePolicyConfig({ model_auto_compact_token_limit: 90_000, compact_prompt: 'Sum up.', preserve_count: 0 }),
    ).toEqual({ tokenLimit: 90_000, prompt: 'Sum up.', keepMessages: 0 })
  })

  it.each([
    ['keep_mesages', 'keep_messages'],
    ['keepMessages', 'keep_messages'],
    ['preserve_cnt', 'preserve_count'],
    ['model_auto_compact_limit', 'model_auto_compact_token_limit'],
  ])('named %s are refused, naming %s', (key, meant) => {
    expect(() => parsePolicyConfig({ [key]: 3 }, 'pith.toml')).toThrowError(
      `pith.toml: unknown key \`${key}\`, did you mean \`${meant}\`?`,
    )
  })

  it('with a bad value are refused under the name that is in the file', () => {
    expect(() => parsePolicyConfig({ preserve_count: -1 })).toThrowError(/^configuration: preserve_count: [^\n]+$/)
    expect(() => parsePolicyConfig({ trigger_percent: 'high' })).toThrowError(
      /^configuration: trigger_percent: [^\n]+$/,
    )
  })

  it.each([[null], [[]], ['koda'], [5]])('that are not a table but %j are refused', (value) => {
    expect(() => parsePolicyConfig(value)).toThrowError('configuration: expected a table of settings')
  })
})
