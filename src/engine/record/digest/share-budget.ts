/** One part of a text that competes for room: what it costs whole, and the share it may have in any case. */
export type Claim = { readonly cost: number; readonly share: number }

/**
 * Shares `room` out among claims: each gets what it costs up to its share, and what is left over goes to the claims
 * in their order. Together they never get more than there is.
 */
export function shareBudget(claims: readonly Claim[], room: number): number[] {
  const whole = claims.reduce((sum, claim) => sum + claim.share, 0) || 1
  const given = claims.map((claim) => Math.min(claim.cost, Math.floor((room * claim.share) / whole)))
  let left = room - given.reduce((sum, tokens) => sum + tokens, 0)
  for (const [i, claim] of claims.entries()) {
    const more = Math.max(0, Math.min(left, claim.cost - (given[i] ?? 0)))
    given[i] = (given[i] ?? 0) + more
    left -= more
  }
  return given
}
