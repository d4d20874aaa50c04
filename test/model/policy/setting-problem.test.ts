import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { POLICY_KEYS, parsePolicyPatch } from '../../../src/model/policy/policy.ts'
import { policyPatchSchema } from '../../../src/model/policy/policy-schema.ts'
import { PRESETS } from '../../../src/model/policy/presets.ts'
import { parse } from '../../../src/model/problems/parse.ts'
import { full } from '../../support/full.ts'

const EDGES = [
  ...[0, -0, -1, 1, 1.5, -1.5, 100, 100.5, 101, 2 ** 53, -(2 ** 53)],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ...['', 'auto', 'pith', 'at', null, undefined, true, false, 5n, Symbol('x'), () => 1],
  ...[[], {}, ['mask'], ['mask', 'x'], [1], new Date(0), new Map(), Object.create(null)],
]
const value = fc.oneof(fc.constantFrom<unknown>(...EDGES), fc.anything())

describe('the check of a setting without a schema', () => {
  it.each(POLICY_KEYS)('says of %s what the schema says', (key) => {
    for (const edge of EDGES)
      expect(outcome(parsePolicyPatch, { [key]: edge })).toEqual(outcome(bySchema, { [key]: edge }))
  })

  it('says of any settings what the schema says', () => {
    const settings = fc.dictionary(fc.oneof(fc.constantFrom(...POLICY_KEYS), fc.string({ maxLength: 120 })), value, {
      maxKeys: 4,
      noNullPrototype: true,
    })
    fc.assert(
      fc.property(fc.oneof(settings, value), (patch) => {
        expect(outcome(parsePolicyPatch, patch)).toEqual(outcome(bySchema, patch))
      }),
      { numRuns: full ? 300 : 100 },
    )
  })

  it('accepts every preset', () => {
    for (const preset of Object.values(PRESETS)) expect(parsePolicyPatch(preset)).toEqual(preset)
  })
})

function bySchema(patch: unknown): unknown {
  return parse(policyPatchSchema, patch, { what: 'policy', code: 'bad-policy', keys: POLICY_KEYS })
}

function outcome(read: (patch: unknown) => unknown, patch: unknown): unknown {
  try {
    return read(patch)
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}
