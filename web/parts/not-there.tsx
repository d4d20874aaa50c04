/** In the place of what the address names and cannot be shown: why, and a way on. */
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
