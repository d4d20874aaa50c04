import { expect, it } from 'vitest'
import { withMethods } from '../../../src/adapters/shared/with-methods.ts'

class ChatModel {
  readonly #name = 'chat'
  static readonly kind = 'model'
  name() {
    return this.#name
  }
  ask() {
    return 'asked'
  }
}

it('an object with other methods is else the very same: its private fields, its class and what every object has', () => {
  const model = withMethods(new ChatModel(), { ask: () => 'heard' })
  const { ask, name } = model
  expect([ask(), name(), String(model)]).toEqual(['heard', 'chat', '[object Object]'])
  expect(model.constructor).toBe(ChatModel)
  expect(model).toBeInstanceOf(ChatModel)
})
