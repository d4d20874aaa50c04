import { expect, test } from 'vitest'
import { isOwnItem, openedItem, sealedItem } from '../../../src/gateway/records/seal.ts'

const key = new Uint8Array(32).fill(7)
const record = 'The record of “a session”.\n'.repeat(400)

test('an item gives its record back with nothing but the key, and is smaller than the record', () => {
  const item = sealedItem(record, key)

  expect(openedItem(item, key)).toBe(record)
  expect(item.length).toBeLessThan(record.length / 10)
})

test('an item that was changed, or that another installation made, is not opened', () => {
  const item = sealedItem(record, key)
  const [head, seal, content = ''] = item.split('.')

  expect(openedItem(item, new Uint8Array(32).fill(8))).toBeUndefined()
  expect(
    openedItem([head, seal, content.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))].join('.'), key),
  ).toBeUndefined()
  expect(openedItem(`${head}.${content}`, key)).toBeUndefined()
})

test("a provider's own item is not taken for ours", () => {
  expect(isOwnItem('gAAAAABk-provider')).toBe(false)
  expect(openedItem('gAAAAABk-provider', key)).toBeUndefined()
})
