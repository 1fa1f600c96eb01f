import Foundation
import Testing

@testable import BenchmarkReport

@Suite struct SVGTests {
  private let chart = BarChart(
    title: "Speed", bars: [.init(name: "a", value: 3, range: 2...4, ink: Ink.series[0]),
      .init(name: "b", value: 1, range: nil, ink: Ink.series[1])],
    unit: "things", text: Figures.short)

  @Test func x() throws {
    let data = try Gnuplot.svg([chart.drawing])[0]
    print(String(decoding: data, as: UTF8.self))
    var drawing = chart.drawing
    print(drawing.tips)
    let svg = try SVG(data, drawing)
    print(svg.file)
  }
}
