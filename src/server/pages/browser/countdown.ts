/** Counts world time down on a page. Uses animation frames, because timers have one home in the code. */

export function countDown(): void {
  for (const left of document.querySelectorAll<HTMLElement>('[data-left]')) {
    const rate = Number(left.dataset.rate)
    if (rate > 0) run(left, Number(left.dataset.left), rate)
  }
}

function run(left: HTMLElement, fromS: number, rate: number): void {
  const beganMs = performance.now()
  const tick = () => {
    const passedS = ((performance.now() - beganMs) / 1000) * rate
    const seconds = Math.max(0, Math.ceil(fromS - passedS))
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
    if (left.textContent !== text) left.textContent = text
    if (seconds > 0 && left.isConnected) requestAnimationFrame(tick)
  }
  tick()
}
