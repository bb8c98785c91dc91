package alerts

import (
	"encoding/json"
	"io"
)

// The parts of a Grafana dashboard that this one needs, with the names of Grafana's
// schema. Grafana's own SDK adds more to the binary than the rest of this package; a
// test checks the output against it.
type (
	dashboard struct {
		UID           string     `json:"uid"`
		Title         string     `json:"title"`
		Description   string     `json:"description"`
		Tags          []string   `json:"tags"`
		Timezone      string     `json:"timezone"`
		Editable      bool       `json:"editable"`
		GraphTooltip  int        `json:"graphTooltip"`
		Time          timeRange  `json:"time"`
		Refresh       string     `json:"refresh"`
		SchemaVersion int        `json:"schemaVersion"`
		Templating    templating `json:"templating"`
		Annotations   annotated  `json:"annotations"`
		Panels        []any      `json:"panels"` // of panel and row
	}
	timeRange struct {
		From string `json:"from"`
		To   string `json:"to"`
	}
	templating struct {
		List []variable `json:"list"`
	}
	variable struct {
		Type  string `json:"type"`
		Name  string `json:"name"`
		Label string `json:"label"`
		Query string `json:"query"`
	}
	annotated struct {
		List []annotation `json:"list"`
	}
	annotation struct {
		Name            string     `json:"name"`
		Datasource      dataSource `json:"datasource"`
		Enable          bool       `json:"enable"`
		IconColor       string     `json:"iconColor"`
		Expr            string     `json:"expr"`
		Step            string     `json:"step"`
		TitleFormat     string     `json:"titleFormat"`
		TextFormat      string     `json:"textFormat"`
		TagKeys         string     `json:"tagKeys"`
		UseValueForTime bool       `json:"useValueForTime"`
	}
	dataSource struct {
		Type string `json:"type"`
		UID  string `json:"uid"`
	}
	grid struct {
		H int `json:"h"`
		W int `json:"w"`
		X int `json:"x"`
		Y int `json:"y"`
	}
	row struct {
		Type      string  `json:"type"`
		ID        int     `json:"id"`
		Title     string  `json:"title"`
		Collapsed bool    `json:"collapsed"`
		GridPos   grid    `json:"gridPos"`
		Panels    []panel `json:"panels"` // of a collapsed one; others stand behind it
	}
	panel struct {
		Type        string      `json:"type"`
		ID          int         `json:"id"`
		Title       string      `json:"title"`
		Description string      `json:"description,omitempty"`
		Datasource  dataSource  `json:"datasource"`
		GridPos     grid        `json:"gridPos"`
		Targets     []target    `json:"targets"`
		FieldConfig fieldConfig `json:"fieldConfig"`
		Options     options     `json:"options"`
	}
	target struct {
		RefID        string     `json:"refId"`
		Datasource   dataSource `json:"datasource"`
		Expr         string     `json:"expr"`
		LegendFormat string     `json:"legendFormat"`
		EditorMode   string     `json:"editorMode"`
		Range        bool       `json:"range"`
	}
	fieldConfig struct {
		Defaults  defaults   `json:"defaults"`
		Overrides []override `json:"overrides"`
	}
	defaults struct {
		Unit       string      `json:"unit"`
		Min        *float64    `json:"min,omitempty"`
		Thresholds *thresholds `json:"thresholds,omitempty"`
		Custom     custom      `json:"custom"`
	}
	thresholds struct {
		Mode  string `json:"mode"`
		Steps []step `json:"steps"`
	}
	step struct {
		Value *float64 `json:"value"` // nil: from below everything
		Color string   `json:"color"`
	}
	custom struct {
		LineWidth       int    `json:"lineWidth"`
		ShowPoints      string `json:"showPoints"`
		ThresholdsStyle *mode  `json:"thresholdsStyle,omitempty"`
	}
	mode struct {
		Mode string `json:"mode"`
	}
	override struct {
		Matcher    matcher    `json:"matcher"`
		Properties []property `json:"properties"`
	}
	matcher struct {
		ID      string `json:"id"`
		Options string `json:"options"`
	}
	property struct {
		ID    string `json:"id"`
		Value any    `json:"value"`
	}
	options struct {
		Legend  legend  `json:"legend"`
		Tooltip tooltip `json:"tooltip"`
	}
	legend struct {
		ShowLegend  bool     `json:"showLegend"`
		DisplayMode string   `json:"displayMode"`
		Placement   string   `json:"placement"`
		Calcs       []string `json:"calcs"`
	}
	tooltip struct {
		Mode string `json:"mode"`
		Sort string `json:"sort"`
	}
)

func (d dashboard) write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(d)
}
