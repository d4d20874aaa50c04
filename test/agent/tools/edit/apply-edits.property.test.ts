import fc from 'fast-check'
import { expect, it } from 'vitest'
import { applyEdits } from '../../../../src/agent/tools/edit/edit.ts'
import { full } from '../../../support/full.ts'

const piece = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\r\n', '$&', '\t'), maxLength: 6 })
const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\r\n', '\t'), maxLength: 40 })
const edits = fc.array(fc.record({ oldText: piece, newText: piece, replaceAll: fc.boolean() }), {
  minLength: 1,
  maxLength: 4,
})

it('edits are made all or none: the whole is what one after the other comes to', () => {
  fc.assert(
    fc.property(text, edits, (before, edits) => {
      const whole = applyEdits(before, edits)
      let step = before
      const failed = edits.some((edit) => {
        const one = applyEdits(step, [edit])
        if (one.ok) step = one.text
        return !one.ok && one.reason !== 'The edits change nothing'
      })
      if (whole.ok) {
        expect(failed).toBe(false)
        // The line ends of a file are decided once, by what it was before all of the edits.
        expect(whole.text.replaceAll('\r', '')).toBe(step.replaceAll('\r', ''))
      } else expect(failed || whole.reason === 'The edits change nothing').toBe(true)
    }),
    { numRuns: full ? 2_000 : 300 },
  )
})

it('a unique text is replaced by exactly the new text, whatever it contains', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (before, after, newText) => {
      const mark = '⟦old⟧'
      const result = applyEdits(`${before}${mark}${after}`, [{ oldText: mark, newText }])
      if (/\r\n/.test(before + after)) return
      expect(result).toEqual({ ok: true, text: `${before}${newText}${after}`, replaced: 1 })
    }),
  )
})
