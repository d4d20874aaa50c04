import { describe, expect, it } from 'vitest'
import { PithError } from '../../../src/model/problems/errors.ts'
import { HttpError, shownError } from '../../../src/server/http/http-error.ts'

describe('the answer to an error', () => {
  it.each([
    ['bad-message', 400],
    ['bad-entry', 400],
    ['bad-policy', 400],
    ['bad-argument', 400],
    ['bad-undo', 409],
    ['unknown-model', 400],
    ['unknown-session', 404],
    ['unknown-entry', 404],
    ['not-allowed', 403],
    ['no-model', 409],
  ] as const)('to %s has the status %i and its message', (code, status) => {
    const answer = shownError(new PithError(code, 'what to do'))
    expect([answer.status, answer.code, answer.message]).toEqual([status, code, 'what to do'])
  })

  it.each(['store-newer', 'store-damaged', 'store-unwritable'] as const)('to %s says to try again later', (code) => {
    const { status, code: shown, message } = shownError(new PithError(code, '/home/me/pith.db'))
    expect([status, shown, message]).toEqual([503, code, 'the store cannot be used now: try again later'])
  })

  it.each(['store-unwritable', 'store-unanswered'] as const)('to %s of a change says how to send it again', (code) => {
    const { status, message } = shownError(new PithError(code, '/home/me/pith.db'), 'POST')
    expect(status).toBe(503)
    expect(message).toMatch(/^the (?:store|database) .* same Idempotency-Key, and it is done once; without a key, look/)
    expect(message.includes('not known whether')).toBe(code === 'store-unanswered')
  })

  it('to a full disk names it', () => {
    const { status, code, message } = shownError(new PithError('store-full', '/home/me/pith.db'), 'POST')
    expect([status, code, message]).toEqual([
      503,
      'store-full',
      'the disk of the store is full: send the request again when there is space',
    ])
  })

  it.each([new Error('/home/me'), new PithError('bad-config', '/home/me'), 'text'])(
    'to any other error shows no part of it: %s',
    (error) => {
      const { status, code, message } = shownError(error)
      expect([status, code]).toEqual([500, 'internal'])
      expect(message).toBe('something went wrong in the server: its log has the request id')
    },
  )

  it('to a refusal is the refusal', () => {
    const refusal = new HttpError(409, 'busy', 'later', { kind: 'turn', id: '1' })
    expect(shownError(refusal)).toBe(refusal)
    expect(refusal.running).toEqual({ kind: 'turn', id: '1' })
  })
})
