import { downloadFile } from '../../../export/download.ts'

/** Marks an element above a chart whose words belong into its picture. */
export const captionAttribute = 'data-picture-caption'

/** Saves a chart on the background it is seen on, as charts themselves are transparent, below the caption that stands above it in its panel. */
export function savePicture(canvas: HTMLCanvasElement, name: string): void {
  const caption = canvas.closest('.dashboard-panel')?.querySelector(`[${captionAttribute}]`)
  // The canvas has the pixels of the screen, captions are measured in those of the page.
  const scale = canvas.width / Math.max(1, canvas.clientWidth)
  const captionPx = caption ? Math.ceil(caption.clientHeight * scale) : 0
  const copy = document.createElement('canvas')
  copy.width = canvas.width
  copy.height = canvas.height + captionPx
  const pen = copy.getContext('2d')
  if (!pen) return
  pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--panel-background')
  pen.fillRect(0, 0, copy.width, copy.height)
  pen.drawImage(canvas, 0, captionPx)
  if (caption) {
    const { color, fontWeight, fontSize, fontFamily } = getComputedStyle(caption)
    pen.fillStyle = color
    pen.font = `${fontWeight} ${Number.parseFloat(fontSize) * scale}px ${fontFamily}`
    pen.textAlign = 'center'
    pen.textBaseline = 'middle'
    pen.fillText(caption.textContent, copy.width / 2, captionPx / 2, copy.width)
  }
  copy.toBlob((blob) => blob && downloadFile(name, blob), 'image/png')
}
