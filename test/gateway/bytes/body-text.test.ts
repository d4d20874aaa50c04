import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bodyText } from '../../../src/gateway/bytes/body-text.ts'

it('a text made from bytes gives the same bytes again, or there is none', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const text = bodyText(bytes)
      if (text !== undefined) expect(Uint8Array.from(Buffer.from(text))).toEqual(Uint8Array.from(bytes))
    }),
  )
  const marked = Buffer.from('\uFEFF{"a":"ü🙂"}')
  expect(Buffer.from(bodyText(marked) ?? '')).toEqual(marked)
  expect(bodyText(Uint8Array.of(0xff, 0x7b))).toBeUndefined()
})
