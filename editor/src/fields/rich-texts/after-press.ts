let isPressed = false
addEventListener('pointerdown', () => setPressed(true), true)
addEventListener('pointerup', () => setPressed(false), true)
addEventListener('pointercancel', () => setPressed(false), true)

function setPressed(value: boolean): void {
  isPressed = value
}

/** Runs once no button of a mouse, and no finger, is down: what is pressed must not move away before it is let go. */
export function afterPress(run: () => void): void {
  if (!isPressed) requestAnimationFrame(run)
  else addEventListener('pointerup', () => setTimeout(run), { once: true })
}
