import type { LossReason } from '../../engine/report/loss-text.ts'

/**
 * How much a reason counts. What really happened later counts more than what may. The weights of names and of age were
 * chosen on recorded compactions: of the names and looks that came back later, half stood in the first ten messages.
 */
export function reasonWeight(reason: LossReason): number {
  switch (reason.kind) {
    case 'demand':
      return 130
    case 'recalled':
      return 90
    case 'user':
      return (30 + Math.min(40, reason.characters / 4)) / (reason.missing === 'all' ? 1 : 2)
    case 'failure':
      return 45
    case 'used':
      return 12 + 8 * Math.min(reason.names.length, 8)
    case 'again':
      return 35
    case 'change':
      return reason.isCommitted ? 12 : 30
    case 'newest':
      return 12
    case 'answer':
      return reason.isLast ? 22 : 6
    case 'names':
      return 7 * Math.log2(1 + reason.count)
    case 'outdated':
      return -25
  }
}
