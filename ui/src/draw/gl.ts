import { bandColors, restTops, SEPARATED_PX } from './layer';
import type { BandLayer, Paint, Placed, Placement, Rect } from './layer';
import type { Rgb } from './palette';

const VERTEX = `#version 300 es
layout(location = 0) in float left;
layout(location = 1) in float right;
layout(location = 2) in float top;
layout(location = 3) in float bottom;
layout(location = 4) in vec4 color;
uniform vec2 xMap;
uniform vec2 yMap;
uniform vec2 size;
flat out vec4 fill;
flat out float head;
flat out float tall;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  float x = floor(mix(left, right, corner.x) * xMap.x + xMap.y + 0.5);
  float y0 = floor(top * yMap.x + yMap.y + 0.5);
  float y1 = floor(bottom * yMap.x + yMap.y + 0.5);
  fill = color;
  head = size.y - y0;
  tall = y1 - y0;
  gl_Position = vec4(x / size.x * 2.0 - 1.0, 1.0 - mix(y0, y1, corner.y) / size.y * 2.0, 0.0, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 panel;
uniform float separated;
flat in vec4 fill;
flat in float head;
flat in float tall;
out vec4 pixel;
void main() {
  bool isLine = tall >= separated && head - gl_FragCoord.y < 1.0;
  pixel = vec4(isLine ? mix(fill.rgb, panel, 0.5) : fill.rgb, 1.0);
}`;

const NEVER_SEPARATED = 1e9;

/** Instances of one quad: four columns of edges, perhaps one of colours. */
interface Quads {
  readonly array: WebGLVertexArrayObject;
  readonly buffers: readonly WebGLBuffer[];
  count: number;
}

/** Bands drawn as WebGL2 instances. */
export class GlLayer implements BandLayer {
  readonly name = 'gl';
  readonly canvas: HTMLCanvasElement;
  readonly #gl: WebGL2RenderingContext;
  readonly #program: WebGLProgram;
  readonly #uniforms: Uniforms;
  readonly #rest: Quads;
  readonly #bands: Quads;
  #panel: Rgb = [255, 255, 255];
  #restColor: Rgb = [200, 200, 200];

  /** Throws when the web view cannot do it. Calls `lost` when the context is taken away. */
  constructor(document: Document, lost: () => void) {
    this.canvas = document.createElement('canvas');
    // Only who drives the window from outside reads pixels back, and finds none without this.
    const preserveDrawingBuffer = navigator.webdriver;
    const gl = this.canvas.getContext('webgl2', { antialias: false, preserveDrawingBuffer });
    if (gl === null) throw new Error('no WebGL2');
    this.#gl = gl;
    this.canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      lost();
    });
    this.#program = programOf(gl);
    this.#uniforms = uniformsOf(gl, this.#program);
    this.#rest = quadsOf(gl);
    this.#bands = quadsOf(gl);
  }

  resize(width: number, height: number): void {
    this.canvas.width = width;
    this.canvas.height = height;
  }

  load(placed: Placed, paint: Paint): void {
    const { scene } = placed;
    const { tops, zero } = restTops(placed);
    const zeros = new Float32Array(scene.columns).fill(zero);
    const { bands } = scene;
    this.#panel = paint.theme.panel;
    this.#restColor = paint.theme.rest;
    const n = scene.columns;
    const edges = [scene.edge.subarray(0, n), scene.edge.subarray(1, n + 1), tops, zeros];
    this.#fill(this.#rest, n, edges, undefined);
    const sides = [bands.x0, bands.x1, bands.top, bands.bottom];
    this.#fill(this.#bands, bands.count, sides, bandColors(placed, paint));
  }

  paint({ x, y }: Placement, clip: Rect): void {
    const gl = this.#gl;
    const { width, height } = this.canvas;
    this.clear();
    gl.viewport(0, 0, width, height);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(clip.left, height - clip.top - clip.height, clip.width, clip.height);
    gl.useProgram(this.#program);
    gl.uniform2f(this.#uniforms.xMap, x.scale, x.offset);
    gl.uniform2f(this.#uniforms.yMap, y.scale, y.offset);
    gl.uniform2f(this.#uniforms.size, width, height);
    const [red, green, blue] = this.#panel;
    gl.uniform3f(this.#uniforms.panel, red / 255, green / 255, blue / 255);
    gl.uniform1f(this.#uniforms.separated, NEVER_SEPARATED);
    const [r, g, b] = this.#restColor;
    gl.vertexAttrib4f(4, r / 255, g / 255, b / 255, 1);
    this.#draw(this.#rest);
    gl.uniform1f(this.#uniforms.separated, SEPARATED_PX);
    this.#draw(this.#bands);
    gl.disable(gl.SCISSOR_TEST);
  }

  clear(): void {
    this.#gl.clearColor(0, 0, 0, 0);
    this.#gl.clear(this.#gl.COLOR_BUFFER_BIT);
  }

  /** Waits until everything is drawn: for measuring. */
  finish(): void {
    this.#gl.readPixels(0, 0, 1, 1, this.#gl.RGBA, this.#gl.UNSIGNED_BYTE, new Uint8Array(4));
  }

  dispose(): void {
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
    this.canvas.remove();
  }

  #draw(quads: Quads): void {
    if (quads.count === 0) return;
    this.#gl.bindVertexArray(quads.array);
    this.#gl.drawArraysInstanced(this.#gl.TRIANGLE_STRIP, 0, 4, quads.count);
  }

  #fill(
    quads: Quads,
    count: number,
    sides: readonly Float32Array[],
    colors: Uint32Array | undefined,
  ): void {
    const gl = this.#gl;
    gl.bindVertexArray(quads.array);
    quads.buffers.forEach((buffer, location) => {
      const column = sides[location] ?? colors;
      if (column === undefined) return;
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, column, gl.DYNAMIC_DRAW);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribDivisor(location, 1);
      if (location < 4) gl.vertexAttribPointer(location, 1, gl.FLOAT, false, 0, 0);
      else gl.vertexAttribPointer(location, 4, gl.UNSIGNED_BYTE, true, 0, 0);
    });
    quads.count = count;
  }
}

/** Where the numbers go that are the same for all instances. */
interface Uniforms {
  readonly xMap: WebGLUniformLocation | null;
  readonly yMap: WebGLUniformLocation | null;
  readonly size: WebGLUniformLocation | null;
  readonly panel: WebGLUniformLocation | null;
  readonly separated: WebGLUniformLocation | null;
}

const uniformsOf = (gl: WebGL2RenderingContext, program: WebGLProgram): Uniforms => ({
  xMap: gl.getUniformLocation(program, 'xMap'),
  yMap: gl.getUniformLocation(program, 'yMap'),
  size: gl.getUniformLocation(program, 'size'),
  panel: gl.getUniformLocation(program, 'panel'),
  separated: gl.getUniformLocation(program, 'separated'),
});

const quadsOf = (gl: WebGL2RenderingContext): Quads => ({
  array: gl.createVertexArray(),
  buffers: Array.from({ length: 5 }, () => gl.createBuffer()),
  count: 0,
});

function programOf(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(kind);
    if (shader === null) throw new Error('no WebGL2 shader');
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (gl.getProgramParameter(program, gl.LINK_STATUS) !== true) {
    throw new Error(gl.getProgramInfoLog(program) ?? 'WebGL2 program does not link');
  }
  return program;
}
