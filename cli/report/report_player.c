/* The moving body inside the page: places of joints and markers as numbers of 16 bits in base64,
 * and a script of ours that draws them on a canvas. Nothing comes from a network; without scripts,
 * and on paper, the strip of moments stands for it. */
#include <stdlib.h>
#include <string.h>

#include "draw/markup.h"
#include "report/report.h"

/* So many frames at most, and so many to a second: enough to the eye, and the page stays small. */
#define PLAYER_FRAMES 300
#define PLAYER_RATE   30.0
#define PLAYER_ABSENT (-32768)

/* Turns by dragging or by the arrow keys, zooms by the wheel or by + and -. */
static const char player_script[] =
    "(()=>{const p=document.getElementById('player'),d=JSON.parse(p.dataset.about),"
    "raw=atob(p.dataset.places),v=new Int16Array(raw.length/2);\n"
    "for(let i=0;i<v.length;i++){const n=raw.charCodeAt(2*i)|raw.charCodeAt(2*i+1)<<8;v[i]=n>32767?"
    "n-65536:n}\n"
    "const c=p.querySelector('canvas'),g=c.getContext('2d'),s=p.querySelector('input'),"
    "b=p.querySelector('button'),t=p.querySelector('output'),m=p.querySelector('#player-markers');"
    "\n"
    "let yaw=.6,pitch=.15,zoom=1,frame=0,play=false,last=0;const n=d.joints+d.markers;\n"
    "p.hidden=false;s.max=d.frames-1;\n"
    "const at=(f,i)=>{const k=3*(f*n+i);return "
    "v[k]==-32768?null:[v[k]/1e3,v[k+1]/1e3,v[k+2]/1e3]};\n"
    "function draw(){const w=c.width=c.clientWidth*devicePixelRatio,h=c.height=c.clientHeight*"
    "devicePixelRatio,k=zoom*h/d.size*.8,css=getComputedStyle(document.body),f=Math.floor(frame),"
    "o=at(f,0)||[0,d.middle,0];\n"
    "const cy=Math.cos(yaw),sy=Math.sin(yaw),cp=Math.cos(pitch),sp=Math.sin(pitch);\n"
    "const to=q=>{const x=q[0]-o[0],y=q[1]-d.middle,z=q[2]-o[2],r=x*cy-z*sy,e=x*sy+z*cy;"
    "return[w/2+k*r,h/2-k*(y*cp-e*sp)]};\n"
    "const line=(a,e)=>{g.beginPath();g.moveTo(...to(a));g.lineTo(...to(e));g.stroke()};\n"
    "g.clearRect(0,0,w,h);g.lineWidth=devicePixelRatio;g.strokeStyle=css.getPropertyValue('--line')"
    ";\n"
    "const gx=Math.round(o[0]),gz=Math.round(o[2]);for(let i=-3;i<4;i++){line([gx+i,d.floor,gz-3],"
    "[gx+i,d.floor,gz+3]);line([gx-3,d.floor,gz+i],[gx+3,d.floor,gz+i])}\n"
    "g.lineWidth=4*devicePixelRatio;g.lineCap='round';const ink=['--ink','--c0','--c1'].map(x=>"
    "css.getPropertyValue(x));\n"
    "for(const[a,e,side]of d.bones){const x=at(f,a),y=at(f,e);if(x&&y){g.strokeStyle=ink[side];"
    "line(x,y)}}\n"
    "if(m.checked){g.fillStyle=css.getPropertyValue('--c2');for(let i=d.joints;i<n;i++){const x="
    "at(f,i);if(x){const "
    "q=to(x);g.beginPath();g.arc(q[0],q[1],2.5*devicePixelRatio,0,7);g.fill()}}}\n"
    "s.value=f;t.textContent=(d.start+f*d.step).toFixed(2)+' s, frame "
    "'+(d.first+Math.round(f*d.every))}\n"
    "function "
    "tick(now){if(!play)return;frame=(frame+(now-last)/1e3/d.step)%d.frames;last=now;draw();"
    "requestAnimationFrame(tick)}\n"
    "b.onclick=()=>{play=!play;b.textContent=play?'pause':'play';last=performance.now();"
    "requestAnimationFrame(tick)};\n"
    "s.oninput=()=>{frame=+s.value;draw()};m.onchange=draw;onresize=draw;\n"
    "c.onpointerdown=e=>c.setPointerCapture(e.pointerId);c.onpointermove=e=>{if(e.buttons){yaw+="
    "e.movementX/120;pitch=Math.max(-1.5,Math.min(1.5,pitch+e.movementY/120));draw()}};\n"
    "c.onwheel=e=>{e.preventDefault();zoom*=Math.exp(-e.deltaY/600);draw()};\n"
    "c.onkeydown=e=>{const k={ArrowLeft:[-.1,0],ArrowRight:[.1,0],ArrowUp:[0,-.1],ArrowDown:[0,.1]}"
    "[e.key];if(k){yaw+=k[0];pitch+=k[1]}else if(e.key=='+')zoom*=1.1;else if(e.key=='-')zoom/=1.1;"
    "else return;e.preventDefault();draw()};\n"
    "draw()})();\n";

/* What is shown: joints and tips, then the markers of the body. */
typedef struct player_cast {
    const cli_solution *solution;
    snw_pose *pose;
    snw_quat turn;   /* up becomes +Y */
    int point_count; /* joints and tips */
    int *marker;     /* (marker_count) of the trial */
    int marker_count;
    int frame_count;
    double every; /* frames of the motion to one of the player */
} player_cast;

static int source_frame(const player_cast *cast, int frame)
{
    int source = (int)(frame * cast->every + 0.5);
    int last = cast->solution->motion->frame_count - 1;
    return source < last ? source : last;
}

/* ---- base64 ---------------------------------------------------------------------------------- */

typedef struct base64 {
    FILE *out;
    unsigned char held[3];
    int count;
} base64;

static void flush_three(base64 *to)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned bits = (unsigned)to->held[0] << 16 | (unsigned)to->held[1] << 8 | to->held[2];
    for (int n = 0; n < 4; n++)
        fputc(n <= to->count ? letters[bits >> (18 - 6 * n) & 63] : '=', to->out);
    memset(to->held, 0, sizeof to->held);
    to->count = 0;
}

static void put_number(base64 *to, int number)
{
    for (int byte = 0; byte < 2; byte++) {
        to->held[to->count++] = (unsigned char)((unsigned)number >> (8 * byte));
        if (to->count == 3) flush_three(to);
    }
}

/* Millimetres; what does not fit is not there. */
static void put_place(base64 *to, const player_cast *cast, snw_vec3 place, bool is_there)
{
    snw_vec3 turned = snw_quat_rotate(cast->turn, place);
    const double parts[3] = {turned.x, turned.y, turned.z};
    for (int k = 0; k < 3; k++) {
        double mm = floor(1000 * parts[k] + 0.5);
        bool fits = is_there && mm > -32767 && mm < 32767;
        put_number(to, fits ? (int)mm : PLAYER_ABSENT);
    }
}

static void put_places(const player_cast *cast, FILE *out)
{
    const cli_solution *solution = cast->solution;
    const snw_skeleton *body = solution->motion->skeleton;
    base64 to = {.out = out};
    for (int f = 0; f < cast->frame_count; f++) {
        int frame = source_frame(cast, f);
        snw_motion_get(solution->motion, frame, cast->pose);
        snw_pose_forward(cast->pose);
        for (int j = 0; j < body->joint_count; j++)
            put_place(&to, cast, cast->pose->world[j].translation, true);
        for (int j = 0; j < body->joint_count; j++)
            if (body->has_tip[j]) put_place(&to, cast, snw_pose_tip(cast->pose, j), true);
        for (int m = 0; m < cast->marker_count; m++) {
            bool is_there = snw_trial_is_present(solution->trial, frame, cast->marker[m]);
            snw_vec3 nowhere = {0, 0, 0};
            put_place(&to, cast,
                      is_there ? snw_trial_position(solution->trial, frame, cast->marker[m])
                               : nowhere,
                      is_there);
        }
    }
    if (to.count) flush_three(&to);
}

/* ---- about ----------------------------------------------------------------------------------- */

static int side_of(const snw_skeleton *body, int joint)
{
    snw_side side;
    snw_rig_part_of(body, joint, &side);
    return side == SNW_SIDE_LEFT ? 1 : side == SNW_SIDE_RIGHT ? 2 : 0;
}

static void put_bones(const player_cast *cast, FILE *out)
{
    const snw_skeleton *body = cast->solution->motion->skeleton;
    int tip = body->joint_count, count = 0;
    fputs("\"bones\":[", out);
    for (int j = 0; j < body->joint_count; j++) {
        if (body->parent[j] >= 0)
            fprintf(out, "%s[%d,%d,%d]", count++ ? "," : "", body->parent[j], j, side_of(body, j));
        if (body->has_tip[j])
            fprintf(out, "%s[%d,%d,%d]", count++ ? "," : "", j, tip++, side_of(body, j));
    }
    fputs("]", out);
}

/* Heights between which the body moves, and how large it is on the canvas. */
static void put_size(const player_cast *cast, FILE *out)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    const snw_skeleton *body = cast->solution->motion->skeleton;
    for (int f = 0; f < cast->frame_count; f++) {
        snw_motion_get(cast->solution->motion, source_frame(cast, f), cast->pose);
        snw_pose_forward(cast->pose);
        for (int j = 0; j < body->joint_count; j++)
            for (int k = 0; k < 2; k++) {
                snw_vec3 p = k ? snw_pose_tip(cast->pose, j) : cast->pose->world[j].translation;
                double y = snw_quat_rotate(cast->turn, p).y;
                low = fmin(low, y);
                high = fmax(high, y);
            }
    }
    double size = fmax(fmax(high - low, body->size), 0.1);
    /* Most labs have their floor at 0; where the body never comes near it, the floor is below. */
    double floor_height = fabs(low) < 0.15 * size ? 0 : low;
    fprintf(out, "\"size\":%.3f,\"middle\":%.3f,\"floor\":%.3f,", size, (low + high) / 2,
            floor_height);
}

static void put_about(const player_cast *cast, FILE *out)
{
    const cli_solution *solution = cast->solution;
    fprintf(
        out,
        "{\"frames\":%d,\"joints\":%d,\"markers\":%d,\"step\":%.6f,\"every\":%.6f,\"start\":%.3f,"
        "\"first\":%d,",
        cast->frame_count, cast->point_count, cast->marker_count,
        cast->every / solution->motion->rate, cast->every, snw_trial_time(solution->trial, 0),
        solution->trial->first_frame);
    put_size(cast, out);
    put_bones(cast, out);
    fputs("}", out);
}

static bool make_cast(const cli_solution *solution, player_cast *cast)
{
    const snw_skeleton *body = solution->motion->skeleton;
    int markers = solution->residuals->marker_count;
    snw_up_axis up = solution->trial->up == SNW_UP_UNKNOWN ? SNW_UP_Y : solution->trial->up;
    memset(cast, 0, sizeof *cast);
    cast->solution = solution;
    cast->turn = snw_quat_between(snw_up_direction(up), snw_up_direction(SNW_UP_Y));
    cast->point_count = body->joint_count;
    for (int j = 0; j < body->joint_count; j++)
        cast->point_count += body->has_tip[j];
    cast->marker = malloc(((size_t)markers + 1) * sizeof *cast->marker);
    for (int m = 0; cast->marker && m < markers; m++)
        if (solution->residuals->marker[m].joint >= 0) cast->marker[cast->marker_count++] = m;
    int frames = solution->motion->frame_count;
    cast->every = fmax(fmax(1, solution->motion->rate / PLAYER_RATE),
                       frames > 1 ? (frames - 1) / (PLAYER_FRAMES - 1.0) : 1);
    cast->frame_count = frames ? (int)((frames - 1) / cast->every + 1e-9) + 1 : 0;
    return cast->marker && snw_pose_create(body, NULL, &cast->pose, NULL) == SNW_OK;
}

bool cli_report_player(const cli_solution *solution, FILE *out)
{
    player_cast cast;
    bool is_good = make_cast(solution, &cast);
    if (is_good && cast.frame_count > 1) {
        fputs("<div id=\"player\" hidden data-about='", out);
        put_about(&cast, out);
        fputs("' data-places=\"", out);
        put_places(&cast, out);
        fprintf(out,
                "\">\n<canvas tabindex=\"0\" aria-label=\"The moving body; drag to turn, wheel to "
                "zoom\"></canvas>\n<p><button>play</button> <input type=\"range\" min=\"0\" "
                "value=\"0\" aria-label=\"time\"> <output></output> <label><input "
                "type=\"checkbox\" id=\"player-markers\" checked> markers</label></p>\n<p "
                "class=\"soft\">Drag to turn, wheel to zoom; <span class=\"key left\"></span>left "
                "<span class=\"key right\"></span>right. The floor has lines a metre apart; it "
                "follows the body.</p>\n<script>\n%s</script>\n</div>\n",
                player_script);
    }
    snw_pose_destroy(cast.pose);
    free(cast.marker);
    return is_good;
}
