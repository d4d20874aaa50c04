/** Shown if the target of the address cannot be shown: the reason, and a link to another screen. */
export function NotThere({ why, to, label }: { why: string; to: string; label: string }) {
  return (
    <div class="empty">
      <p role="alert">{why}</p>
      <a class="button" href={to}>
        {label}
      </a>
    </div>
  )
}
